-- latex.lua: a pandoc filter that makes a chapter's document (build/book/ast)
-- ready for pandoc's LaTeX writer: the body of a chapter, in the commands of
-- book/latex/ladder.sty.
--
--   pandoc -f json -t latex-smart -L book/latex.lua SYNTAX-OPTIONS AST
--
-- What a reader of the printed book should not see too early goes to the end
-- of the chapter: the answers to its questions and the solutions to its
-- exercises, each with the page of its question.

package.path = "book/?.lua;" .. package.path
local answers = require "answers"
local chunk = require "latex_chunk"
local latex_code = require "latex_code"
local latex_table = require "latex_table"
local text = require "latex_text"

local meta = {}
local place = "?"

local function raw(format, ...)
  return pandoc.RawBlock("latex", select("#", ...) > 0 and string.format(format, ...) or format)
end

local function raw_inline(format, ...)
  return pandoc.RawInline("latex", string.format(format, ...))
end

local function write(blocks)
  return pandoc.write(pandoc.Pandoc(blocks), "latex-smart")
end

-- Inlines ---------------------------------------------------------------------

local inlines = {}

function inlines.Code(el) return raw_inline("%s", text.code(el.text)) end

function inlines.Str(el)
  if text.has_symbols(el.text) then return raw_inline("%s", text.escape(el.text)) end
end

local function around(before, content, after)
  local out = pandoc.List {before}
  out:extend(content)
  out:insert(after)
  return out
end

-- The text of a link that is its own address.
local function same(el)
  local shown = pandoc.utils.stringify(el)
  return shown == el.target or "https://" .. shown == el.target
end

function inlines.Link(el)
  local id = el.target:match("^#(.+)$")
  if not id then
    local target = text.escape(el.target)
    if same(el) then
      return raw_inline("\\outlink{%s}{%s}", target,
                        text.url(pandoc.utils.stringify(el)))
    end
    return around(raw_inline("\\outlink{%s}{", target), el.content,
                  raw_inline("}\\outnote{%s}{%s}", target, text.url(el.target)))
  end
  local class = el.classes[1] or ""
  local kind = ({ident = "codelink", term = "termlink", ["chapter-link"] = "chapterlink",
                 ["chunk-link"] = "chunklink"})[class] or
    (id:match("^ref%-") and "citelink" or "pagelink")
  return around(raw_inline("\\%s{%s}{", kind, text.key(id)), el.content, raw_inline("}"))
end

function inlines.Span(el)
  local out = pandoc.List()
  if el.identifier ~= "" then
    out:insert(raw_inline("\\anchor{%s}", text.key(el.identifier)))
  end
  if el.classes:includes "chunk-name" then
    out:extend(around(raw_inline("\\chunkname{"), el.content, raw_inline("}")))
  else
    out:extend(el.content)
  end
  return out
end

local function inlined(content)
  return (write({pandoc.Plain(pandoc.Plain(content):walk(inlines).content)}))
end

-- Blocks ----------------------------------------------------------------------

local block = {}
local set_blocks

local function environment(name, argument, content)
  local out = pandoc.List {raw("\\begin{%s}%s", name, argument)}
  out:extend(content)
  out:insert(raw("\\end{%s}", name))
  return out
end

function block.chunk(div)
  place = div.attributes.nw or place
  return {raw("%s", (chunk.set(div)))}
end

local function code_block(el)
  return raw("\\plaincode\n%s\n\\endplaincode", (latex_code.set(el, place)))
end

function block.listing(div)
  local head, code, name = div.content[1], div.content[2], div.classes[2]
  local caption = inlined(head.content[1].content)
  return {raw("\\listing{%s}{%s}\n%s\n\\endlisting", name, caption,
              (latex_code.set(code, place)))}
end

function block.figure(div)
  meta.figures = (meta.figures or 0) + 1
  local number = (meta.number ~= "" and meta.number .. "." or "") .. meta.figures
  local caption = write(pandoc.Div(div.content):walk(inlines).content)
  return {raw("\\bookfigure{%s}{%s}{%s}{%s}", text.key(div.identifier),
              div.attributes.src or "", number, caption)}
end

-- A source in the bibliography.
block["csl-entry"] = function(div)
  return {raw("\\source{%s}{%s}", text.key(div.identifier),
              write(pandoc.Div(div.content):walk(inlines).content))}
end

function block.print(div) return set_blocks(div.content) end
function block.epub() return {} end

for class, name in pairs {remember = "remember", note = "booknote", hint = "hint",
                          predict = "predict"} do
  block[class] = function(div)
    local anchor = div.identifier ~= "" and
      string.format("\\blockanchor{%s}", text.key(div.identifier)) or ""
    return environment(name, anchor, set_blocks(div.content))
  end
end

local function style(div)
  for _, class in ipairs(div.classes) do
    if block[class] then return block[class] end
  end
end

function set_blocks(list)
  local out = pandoc.List()
  for _, el in ipairs(list) do
    if el.t == "Div" then
      local set = style(el)
      if set then
        out:extend(set(el))
      else
        if el.identifier ~= "" then
          out:insert(raw("\\blockanchor{%s}", text.key(el.identifier)))
        end
        out:extend(set_blocks(el.content))
      end
    elseif el.t == "CodeBlock" then
      out:insert(code_block(el))
    else
      out:insert(el)
    end
  end
  return out
end

local function header(el)
  local id, content = text.key(el.identifier), write({pandoc.Plain(el.content)})
  local plain = text.escape(pandoc.utils.stringify(el))
  if el.level == 1 then
    return raw("\\bookchapter{%s}{%s}{%s}{%s}", id, meta.label or "", content, plain)
  end
  local names = {"booksection", "booksubsection", "bookparagraph"}
  return raw("\\place{%s, section %s}\n\\%s{%s}{%s}{%s}", meta.nw, id, names[math.min(el.level - 1, 3)], id, content, plain)
end

-- A glossary's entries, as paragraphs that hang.
local function definitions(el)
  local out = pandoc.List()
  for _, item in ipairs(el.content) do
    local term, bodies = write({pandoc.Plain(item[1])}), {}
    for i, body in ipairs(item[2]) do bodies[i] = write(body) end
    out:insert(raw("\\entry{%s}{%s}", term, table.concat(bodies, "\n\n")))
  end
  return out
end

-- Answers ---------------------------------------------------------------------

local function answer_blocks(kept)
  local out = pandoc.List()
  if #kept > 0 then out:insert(answers.heading(meta.key)) end
  for _, answer in ipairs(kept) do
    out:insert(raw("\\answer{%s}{%s}{%s}", answer.id, inlined(answer.title),
                   text.key(answer.question or "")))
    out:extend(answer.content)
  end
  return out
end

local function metadata(doc)
  for _, key in ipairs {"key", "label", "number", "stem", "nw"} do
    local value = doc.meta[key]
    meta[key] = value and pandoc.utils.stringify(value) or ""
  end
  place = meta.nw
end

function Pandoc(doc)
  metadata(doc)
  local ok, blocks = pcall(function()
    local list, kept = answers.take(doc.blocks, meta.key, function(kind, id)
      return raw("\\answeron{%s}{%s}", kind, id)
    end)
    list:extend(answer_blocks(kept))
    return set_blocks(list)
  end)
  if not ok then
    io.stderr:write(tostring(blocks), "\n")
    os.exit(1)
  end
  if meta.nw ~= "" then blocks:insert(1, raw("\\place{%s}", meta.nw)) end
  doc.blocks = blocks
  doc = doc:walk {Table = function(el)
    return raw("%s", latex_table.set(el, function(cell)
      return write(pandoc.Div(cell):walk(inlines).content)
    end))
  end}
  doc = doc:walk(inlines)
  doc = doc:walk {CodeBlock = code_block, Div = function(div)
    return set_blocks({div})
  end}
  return doc:walk {Header = header, DefinitionList = definitions}
end
