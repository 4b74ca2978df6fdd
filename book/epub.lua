-- epub.lua: a pandoc filter that makes a chapter's document (build/book/ast)
-- ready for the EPUB.
--
--   pandoc -f json -t json -L book/epub.lua SYNTAX-OPTIONS AST
--
-- Code becomes HTML, one span a line, with a link from each use of a name to
-- its definition; these links are "#ID" still, and epub_join.lua, which knows
-- the files, completes them. Answers and solutions go to the chapter's end.

package.path = "book/?.lua;" .. package.path
local answers = require "answers"
local code = require "code"

local classes = {kw = "k", cf = "k", dt = "k", ot = "k", pp = "p", im = "p",
                 co = "c", ["do"] = "c", an = "c", st = "s", ch = "s", sc = "s",
                 ss = "s", vs = "s"}
local key = ""

local function escape(text)
  return (text:gsub('[&<>"]', {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;",
                               ['"'] = "&quot;"}))
end

local function piece(part)
  local text, class = escape(part.text), classes[part.class or ""]
  if part.kind == "r" then
    return string.format('<a class="r" href="#%s">⟨%s⟩</a>', part.id, text)
  end
  if class and part.text:match("%S") then
    text = string.format('<span class="%s">%s</span>', class, text)
  end
  if part.kind == "u" then
    return string.format('<a href="#%s">%s</a>', part.id, text)
  end
  return text
end

-- A line that does not fit hangs by two more than its own indent.
local function line_of(parts)
  local out, text = {}, ""
  for _, part in ipairs(parts) do
    out[#out + 1], text = piece(part), text .. part.text
  end
  local indent = math.min(#text:match("^ *"), 16)
  local class = indent >= 2 and "l i" .. indent // 2 or "l"
  return string.format('<span class="%s">%s\n</span>', class, table.concat(out))
end

local function code_block(el)
  local lines = {}
  el.text = el.text:gsub("%s+$", "")
  for i, parts in ipairs(code.lines(el)) do lines[i] = line_of(parts) end
  return pandoc.RawBlock("html", '<pre class="code"><code>' ..
                         table.concat(lines) .. "</code></pre>")
end

local function figure(div)
  local alt = div.attributes.alt or ""
  local path = "build/figures/" .. (div.attributes.src or "") .. ".svg"
  local image = io.open(path)
  if not image and not os.getenv("BOOK_DRAFT") then
    io.stderr:write(string.format("%s: the figure %s is not drawn; run: make figures\n",
                                  key, path))
    os.exit(1)
  end
  if image then image:close() end
  local out = pandoc.List {
    pandoc.RawBlock("html", string.format('<figure id="%s">', div.identifier)),
    pandoc.Plain {image and pandoc.Image({pandoc.Str(alt)}, path) or
                  pandoc.Str("(a figure that is not drawn yet)")},
    pandoc.RawBlock("html", "<figcaption>")}
  out:extend(div.content)
  out:insert(pandoc.RawBlock("html", "</figcaption></figure>"))
  return out
end

-- What only the makers of pages need stays out of the file.
local function plain_div(div)
  if div.classes:includes "figure" then return figure(div) end
  if div.classes:includes "print" then return {} end
  if div.classes:includes "epub" then return div.content end
  div.attributes = {}
  return div
end

local function strip(el)
  if el.classes:includes "ident" or el.classes:includes "chunk-link" or
     el.classes:includes "chapter-link" then
    el.classes = {}
  end
  return el
end

local function answer_blocks(kept)
  local out = pandoc.List()
  if #kept > 0 then out:insert(answers.heading(key)) end
  for _, answer in ipairs(kept) do
    local back = pandoc.Link(answer.title, "#" .. (answer.question or key))
    out:insert(pandoc.Header(3, {back}, pandoc.Attr(answer.id)))
    out:extend(answer.content)
  end
  return out
end

function Pandoc(doc)
  key = doc.meta.key and pandoc.utils.stringify(doc.meta.key) or ""
  local blocks, kept = answers.take(doc.blocks, key, function(kind, id)
    return pandoc.Div({pandoc.Para {
      pandoc.Link(kind .. " at the end of the chapter", "#" .. id)}},
      pandoc.Attr("", {"answer-link"}))
  end)
  blocks:extend(answer_blocks(kept))
  doc.blocks = blocks
  doc = doc:walk {CodeBlock = code_block, Div = plain_div, Link = strip}
  doc.meta = {}
  return doc
end
