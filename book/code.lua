-- code.lua: the lines of a code block as coloured pieces with links, for the
-- writers of HTML, LaTeX and EPUB.
--
-- code.lines(block) gives a list of lines; a line is a list of pieces {text,
-- class, kind, id}. `class` is skylighting's two letters ("kw", "co", "st" ...)
-- or nil. `kind` is "u" (use of an identifier), "d" (its definition) or "r" (a
-- reference to a chunk, `text` its name), with the `id` of the chunk it leads to.
-- pandoc does the colouring, with the syntax files that this run was given.

local code = {}

local entities = {lt = "<", gt = ">", amp = "&", quot = '"', ["#39"] = "'",
                  nbsp = " "}

local function decode(text)
  return (text:gsub("&(#?%w+);", function(name)
    local number = name:match("^#(%d+)$")
    return entities[name] or (number and utf8.char(tonumber(number))) or nil
  end))
end

-- The block's text, split into lines.
local function split(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
  return lines
end

-- A tab goes on to the next column that 8 divides. (noweb has done so in
-- chunks; what programs print may still have tabs.)
local function expand(line)
  while line:find("\t", 1, true) do
    local before, after = line:match("^(.-)\t(.*)$")
    local gap = 8 - (utf8.len(before) or #before) % 8
    line = before .. string.rep(" ", gap) .. after
  end
  return line
end

-- One line of pandoc's HTML as pieces.
local function pieces_of(html)
  local pieces, class = {}, nil
  html = html:gsub("<a [^>]*></a>", "")
  for text, tag in (html .. "<>"):gmatch("([^<]*)<([^>]*)>") do
    if text ~= "" then
      pieces[#pieces + 1] = {text = decode(text), class = class}
    end
    class = tag:match('class="(%a+)"')
  end
  return pieces
end

local function colour(texts, lang)
  local lines = {}
  local block = pandoc.CodeBlock(table.concat(texts, "\n"),
                                 pandoc.Attr("", lang and {lang} or {}))
  local html = pandoc.write(pandoc.Pandoc {block}, "html", PANDOC_WRITER_OPTIONS)
  local body = html:match('<code[^>]*>(.*)</code>') or html
  local rows = split(body)
  for number = 1, #texts do
    local row = rows[number] or ""
    local inner = row:match('^<span id="[^"]*">(.*)</span>$')
    lines[number] = pieces_of(inner or row)
  end
  return lines
end

-- Cuts pieces so that the mark covers whole pieces, and marks these.
local function apply(line, mark)
  local out, at = {}, 1
  local from, to = mark.column, mark.column + mark.length - 1
  for _, piece in ipairs(line) do
    local first, last = at, at + #piece.text - 1
    if last < from or first > to then
      out[#out + 1] = piece
    else
      local function cut(a, b, marked)
        if b < a then return end
        local part = {text = piece.text:sub(a - first + 1, b - first + 1),
                      class = piece.class, kind = piece.kind, id = piece.id}
        if marked then part.kind, part.id = mark.kind, mark.id end
        out[#out + 1] = part
      end
      cut(first, math.min(last, from - 1))
      cut(math.max(first, from), math.min(last, to), true)
      cut(math.max(first, to + 1), last)
    end
    at = last + 1
  end
  return out
end

function code.lines(block)
  local texts = split(block.text)
  for i, text in ipairs(texts) do texts[i] = expand(text) end
  local marks, refs = {}, {}
  for number, column, length, kind, id in
    (block.attributes.marks or ""):gmatch("(%d+):(%d+):(%d+):(%a):(%S+)") do
    local mark = {line = tonumber(number), column = tonumber(column),
                  length = tonumber(length), kind = kind, id = id}
    if kind == "r" then
      refs[mark.line] = mark
    else
      marks[#marks + 1] = mark
    end
  end
  local plain = {}
  for i, text in ipairs(texts) do plain[i] = refs[i] and "" or text end
  local lines = colour(plain, block.classes[1])
  for _, mark in ipairs(marks) do
    lines[mark.line] = apply(lines[mark.line], mark)
  end
  for number, mark in pairs(refs) do
    local text = texts[number]
    local name = text:sub(mark.column + 2, mark.column + mark.length - 3)
    lines[number] = {{text = text:sub(1, mark.column - 1)},
                     {text = name, kind = "r", id = mark.id}}
    local rest = text:sub(mark.column + mark.length)
    if rest ~= "" then table.insert(lines[number], {text = rest}) end
  end
  return lines
end

return code
