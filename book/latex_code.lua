-- latex_code.lua: a block of code as LaTeX.
--
-- latex_code.set(block, place) gives the lines between \begincode and \endcode
-- (book/latex/ladder.sty), where only \ { } are special. Each line ends with
-- what a page break after it costs: \n none allowed, \s allowed, \g good.
-- `place` ("chapters/03-x.nw:20") is where the block stands: a line wider than
-- the measure is an error that names it.

local code = require "code"
local text = require "latex_text"

local latex_code = {}

latex_code.MEASURE = 80

local colours = {kw = "k", cf = "k", dt = "k", ot = "k", pp = "p", im = "p",
                 co = "c", ["do"] = "c", an = "c", st = "t", ch = "t", sc = "t",
                 ss = "t", vs = "t"}

local function escape(string)
  return (string:gsub(utf8.charpattern, function(character)
    if character:match("^[\\{}]$") then return "\\" .. character end
    return text.code_symbol(character)
  end))
end

local function piece(part)
  local body = escape(part.text)
  local colour = colours[part.class or ""]
  if part.kind == "r" then
    return string.format("\\r{%s}{%s}", part.id, text.escape(part.text))
  end
  if colour and part.text:match("%S") then
    body = string.format("\\%s{%s}", colour, body)
  end
  if part.kind == "u" then
    return string.format("\\u{%s}{%s}", part.id, body)
  end
  return body
end

local function width(line)
  local sum = 0
  for _, part in ipairs(line) do sum = sum + (utf8.len(part.text) or #part.text) end
  return sum
end

-- A short block stays whole. In a longer one the first and the last lines keep
-- together, and a break is best at a blank line or before a line that begins
-- at the margin.
local WHOLE, HEAD, TAIL = 9, 4, 3
local function break_after(texts, number)
  local count = #texts
  if count <= WHOLE or number < HEAD or count - number < TAIL then return "n" end
  local this, next = texts[number], texts[number + 1]
  if this:match("^%s*$") then return "g" end
  if next:match("^%s*$") or this:match("%*/$") or this:match("^%s*//") or
     this:match("\\$") then
    return "n"
  end
  if next:match("^[%a#]") and not this:match("[,(]$") then return "g" end
  return "s"
end

local function plain(line)
  local out = ""
  for _, part in ipairs(line) do out = out .. part.text end
  return out
end

function latex_code.set(block, place)
  local lines = code.lines(block)
  local texts, out = {}, {"\\begincode"}
  for number, line in ipairs(lines) do
    texts[number] = plain(line)
    if width(line) > latex_code.MEASURE then
      error(string.format("%s: line %d of the code has %d columns, and the page %d: %s",
                          place, number, width(line), latex_code.MEASURE,
                          texts[number]), 0)
    end
  end
  -- What is blank at the end would be a gap before the lines under the code.
  while #lines > 1 and texts[#lines]:match("^%s*$") do
    lines[#lines], texts[#lines] = nil, nil
  end
  for number, line in ipairs(lines) do
    local parts = {}
    for _, part in ipairs(line) do parts[#parts + 1] = piece(part) end
    local last = number == #lines and "" or "\\" .. break_after(texts, number)
    out[#out + 1] = table.concat(parts) .. last
  end
  out[#out + 1] = "\\endcode"
  return table.concat(out, "\n"), #lines
end

return latex_code
