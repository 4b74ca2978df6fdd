-- html_code.lua: code blocks as HTML, with as little markup as will do.
--
-- html_code.block(el) gives the inside of a <code>: pieces that the default
-- colour suits have no element, neighbours of one colour share one. Links are
-- written as href="#ID" (a use), href="#i-NAME" (a definition, to the index of
-- identifiers) and, for references to chunks, as ⟨<a class=r>name</a>⟩.
-- html_code.lines(el) gives the same, line by line; html_code.escape is for text.

local code = require "code"

local html_code = {}

-- skylighting's classes and ours: keyword, type, comment, string, number,
-- preprocessor. What is not here keeps the default colour.
local colours = {kw = "k", cf = "k", dt = "t", at = "t", co = "c", ["do"] = "c",
                 an = "c", cv = "c", ["in"] = "c", st = "s", ch = "s", sc = "s",
                 ss = "s", vs = "s", dv = "n", bn = "n", fl = "n", pp = "p",
                 im = "p", bu = "b"}

local entities = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"}

function html_code.escape(text)
  return (text:gsub("[&<>]", entities))
end

function html_code.attribute(text)
  return (html_code.escape(text):gsub('"', "&quot;"))
end

local function link(piece, numbers)
  local text = html_code.escape(piece.text)
  if piece.kind == "r" then
    local number = numbers[piece.id]
    return string.format('⟨<a class=r href="#%s">%s%s</a>⟩', piece.id, text,
                         number and " <small>" .. number .. "</small>" or "")
  elseif piece.kind == "d" then
    return string.format('<a class=d href="#i-%s">%s</a>', piece.text, text)
  end
  return string.format('<a href="#%s">%s</a>', piece.id, text)
end

-- Joins pieces; blanks between two of one colour take it too.
local function join(pieces, numbers)
  local out, open, held, gap = {}, nil, {}, ""
  local function close()
    if open then
      out[#out + 1] = string.format("<i class=%s>%s</i>", open, table.concat(held))
    end
    out[#out + 1] = gap
    open, held, gap = nil, {}, ""
  end
  for _, piece in ipairs(pieces) do
    local colour = colours[piece.class or ""]
    if piece.kind then
      close()
      out[#out + 1] = link(piece, numbers)
    elseif piece.text:match("^%s*$") then
      gap = gap .. piece.text
    elseif colour then
      if open ~= colour then close() end
      held[#held + 1] = gap .. html_code.escape(piece.text)
      open, gap = colour, ""
    else
      close()
      out[#out + 1] = html_code.escape(piece.text)
    end
  end
  close()
  return table.concat(out)
end

function html_code.lines(el, numbers)
  local out = {}
  if not el.classes[1] or el.classes[1] == "terminal" then
    for line in (el.text .. "\n"):gmatch("(.-)\n") do
      out[#out + 1] = html_code.escape(line)
    end
    return out
  end
  for i, line in ipairs(code.lines(el)) do out[i] = join(line, numbers or {}) end
  return out
end

-- Neighbouring lines of comment are one element.
function html_code.block(el, numbers)
  local lines = html_code.lines(el, numbers)
  for i = 1, #lines - 1 do
    local ends = lines[i]:match('<i class=c>[^<]*</i>$') or
      lines.inside and lines[i]:match("^[^<]*</i>$")
    lines.inside = ends and lines[i + 1]:match('^ *<i class=c>') ~= nil
    if lines.inside then
      lines[i] = lines[i]:gsub("</i>$", "")
      lines[i + 1] = lines[i + 1]:gsub('<i class=c>', "", 1)
    end
  end
  return table.concat(lines, "\n")
end

return html_code
