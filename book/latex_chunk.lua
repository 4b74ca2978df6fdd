-- latex_chunk.lua: a chunk of weave.lua as LaTeX.
--
-- chunk.set(div) gives the text: \chunk{ID}{CAPTION}{MARGIN}, the code and
-- \chunkfoot lines. In the margin stand the chunk's number, the pieces before
-- and after, and who uses it, each with its page.

local latex_code = require "latex_code"
local text = require "latex_text"

local chunk = {}

-- More users than these are left to the index of chunks.
local USERS = 4

local function id_of(link) return (link.target:gsub("^#", "")) end

local function links(block, class)
  local list = {}
  block:walk {Link = function(el)
    if el.classes:includes(class) then
      list[#list + 1] = {id = id_of(el), text = pandoc.utils.stringify(el)}
    end
  end}
  return list
end

local function part(div, class)
  for _, block in ipairs(div.content) do
    if block.t == "Div" and block.classes:includes(class) then return block end
  end
end

local function number_in(string) return string:match("[%w]*%.?[%d]+") or string end

local function margin(div, head, foot)
  local out = {string.format("\\chunknumber{%s}", div.attributes.number)}
  local function add(format, ...) out[#out + 1] = string.format(format, ...) end
  for _, link in ipairs(links(head, "chunk-prev")) do
    add("\\chunkprev{%s}{%s}", number_in(link.text), link.id)
  end
  local users = foot and part(foot, "used-in")
  users = users and links(users, "chunk-link") or {}
  for i, link in ipairs(users) do
    if i <= USERS or #users == USERS + 1 then
      add("\\chunkuser{%s}{%s}", link.text:match("%S+$"), link.id)
    elseif i == USERS + 1 then
      add("\\chunkmore{%d}", #users - USERS)
    end
  end
  for _, link in ipairs(links(head, "chunk-next")) do
    add("\\chunknext{%s}{%s}", number_in(link.text), link.id)
  end
  return table.concat(out)
end

local function caption(div)
  local name, sign = div.attributes.name, tonumber(div.attributes.piece) > 1
  return string.format("\\%s{%s}\\%s", div.attributes.root and "chunkfile" or "chunkname",
                       div.attributes.root and text.code(name) or text.escape(name),
                       sign and "chunkplus" or "chunkis")
end

-- "Defines": each name with the pages that use it.
local function defines(block)
  local entries = {}
  block:walk {traverse = "topdown", Link = function(el)
    if el.classes:includes "ident" then
      entries[#entries + 1] = {name = pandoc.utils.stringify(el), ids = {}}
      return el, false
    elseif #entries > 0 then
      table.insert(entries[#entries].ids, id_of(el))
    end
  end, Code = function(el)
    entries[#entries + 1] = {name = el.text, ids = {}}
  end}
  local out = {}
  for i, entry in ipairs(entries) do
    local uses = ""
    if #entry.ids > 0 then
      uses = string.format("\\usedon{%s}", table.concat(entry.ids, " "))
    end
    out[i] = text.code(entry.name) .. uses
  end
  return table.concat(out, ", ")
end

local function uses(block)
  local out = {}
  for i, link in ipairs(links(block, "ident")) do
    out[i] = string.format("\\useof{%s}{%s}", link.id, text.code(link.text))
  end
  return table.concat(out, ", ")
end

function chunk.set(div)
  local head, code, foot = div.content[1], div.content[2], div.content[3]
  local place = div.attributes.nw or "?"
  local lines, count = latex_code.set(code, place)
  local out = {
    string.format("\\place{%s}", place),
    string.format("\\chunk{%s}{%d}{%s}{%s}", div.identifier, count, caption(div),
                  margin(div, head, foot)), lines}
  local definitions = foot and part(foot, "defines")
  local names = foot and part(foot, "uses")
  local notes = {}
  if definitions then notes[1] = "Defines " .. defines(definitions) .. "." end
  if names then notes[#notes + 1] = "Uses " .. uses(names) .. "." end
  if #notes > 0 then
    out[#out + 1] = string.format("\\chunkfoot{%s}", table.concat(notes, " \\footgap "))
  end
  out[#out + 1] = "\\endchunk"
  return table.concat(out, "\n")
end

return chunk
