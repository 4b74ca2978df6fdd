-- latex_text.lua: text as LaTeX.
--
-- text.escape(string)   prose, with LaTeX's own characters made safe
-- text.code(string)     inline code in the code font, with places to break
-- text.url(string)      an address, with places to break
-- text.key(id)          an anchor's name, safe inside a command's argument

local text = {}

local special = {["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}",
                 ["#"] = "\\#", ["$"] = "\\$", ["%"] = "\\%", ["&"] = "\\&",
                 ["_"] = "\\_", ["^"] = "\\textasciicircum{}",
                 ["~"] = "\\textasciitilde{}"}

-- Characters outside ASCII that the fonts of the text and of code have; any
-- other is set from the font of symbols.
local function set_of(characters)
  local set = {}
  for _, point in utf8.codes(characters) do set[utf8.char(point)] = true end
  return set
end
local in_text = set_of "’‘“”–—…·≤≥≡→←∞γδθ×−±½²³µ√⊕⟨⟩≠≈Γ∑∏∈∧∨¬éöüäß§\u{a0}"
local in_code = set_of "’‘“”…·×±½²³µé§"

local function escape_character(character)
  if #character == 1 then return special[character] or character end
  if in_text[character] then return character end
  return "\\sym{" .. character .. "}"
end

function text.escape(string)
  return (string:gsub(utf8.charpattern, escape_character))
end

-- Are there characters that the text font lacks?
function text.has_symbols(string)
  for _, point in utf8.codes(string) do
    if point > 127 and not in_text[utf8.char(point)] then return true end
  end
  return false
end

-- A character of code where the code font has none of that shape.
function text.code_symbol(character)
  if #character == 1 or in_code[character] then return character end
  return "\\sym{" .. character .. "}"
end

local function code_character(character)
  if character == "-" then return "\\char45{}" end
  if character == "'" then return "\\char39{}" end
  if character == "`" then return "\\char96{}" end
  if character == " " then return "\\ " end
  if #character > 1 then return text.code_symbol(character) end
  return special[character] or character
end

-- Short code stays whole; longer code may be broken after these characters.
local SHORT = 7
function text.code(string)
  local out, length = {}, utf8.len(string)
  local seen = 0
  for _, point in utf8.codes(string) do
    local character = utf8.char(point)
    seen = seen + 1
    out[#out + 1] = code_character(character)
    local rest = length - seen
    local next = string:sub(utf8.offset(string, seen + 1) or 0)
    if length > SHORT and rest > 1 and seen > 1 and
       character:match("[%._/(,:>|=-]") and not next:match("^[ %._/,:>|=-]") then
      out[#out + 1] = "\\brk "
    elseif length > SHORT and rest > 2 and seen > 2 and character:match("%l") and
           next:match("^%u") then
      out[#out + 1] = "\\brk "
    end
  end
  return "\\code{" .. table.concat(out) .. "}"
end

function text.url(string)
  local out = text.escape(string)
  return (out:gsub("([/%.%?=&-]+)", "%1\\brk "):gsub("\\_", "\\_\\brk "))
end

function text.key(id)
  return (id:gsub("[^%w%.:_-]", function(c) return string.format("x%02x", c:byte()) end))
end

return text
