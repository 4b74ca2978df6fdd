-- excerpt.lua: the lines of a compiled kernel that come from given lines of its
-- source, cut out of this build's PTX or SASS.
--
-- excerpt.ptx(path, wanted) and excerpt.sass(path, wanted): `wanted` is a set
-- {[line of the .cu] = true}. Each gives a list of rows {text, lines}, in the
-- order of the file: lines = the wanted lines that the row comes from, inlined
-- calls followed outwards. Labels, pragmas and the markers of inline assembly
-- that stand among the rows come along; {text = "…"} marks what was left out.

local excerpt = {}

-- Reads the file into entries {text, chain = {line...}, op = boolean}.
local function read(path, take)
  local file = io.open(path)
  if not file then error(path .. " was not built", 0) end
  local entries = {}
  for line in file:lines() do take(line, entries) end
  file:close()
  return entries
end

local function ptx_reader()
  local chain, outer = {}, {}
  local function follow(line, at)
    local list, seen = {line}, {[line] = true}
    while at and not seen[at] do
      list[#list + 1], seen[at] = at, true
      at = outer[at]
    end
    return list
  end
  return function(line, entries)
    local text = line:gsub("^%s+", ""):gsub("%s+", " "):gsub("%s+$", "")
    local number = tonumber(text:match("^%.loc %d+ (%d+)"))
    if number then
      local at = tonumber(text:match("inlined_at %d+ (%d+)"))
      outer[number] = at
      chain = follow(number, at)
    elseif text:match("^[%w_$]+:$") then
      entries[#entries + 1] = {text = text, label = true}
    elseif text:match("^//.*inline asm") or text:match("^%.pragma") then
      entries[#entries + 1] = {text = "    " .. text}
    elseif text:match("^[@%l]") and text:match(";$") then
      entries[#entries + 1] = {text = "    " .. text, chain = chain, op = true}
    end
  end
end

local function sass_reader()
  local chain, fresh = {}, true
  return function(line, entries)
    local number = tonumber(line:match('^%s*//## File "[^"]*", line (%d+)'))
    if number then
      if fresh then chain, fresh = {}, false end
      chain[#chain + 1] = number
      return
    end
    local text = line:match("^%s*/%*%x+%*/%s*(.-)%s*$")
    if text then
      fresh = true
      entries[#entries + 1] = {text = "    " .. text:gsub("%s+;$", ";"),
                               chain = chain, op = true}
    elseif line:match("^%.L[%w_]+:") then
      entries[#entries + 1] = {text = line:match("^(%S+)"), label = true}
    end
  end
end

local function hits(entry, wanted)
  local list = {}
  for _, line in ipairs(entry.chain or {}) do
    if wanted[line] then list[#list + 1] = line end
  end
  return list
end

-- Keeps the wanted instructions, and what stands right around them.
local function cut(entries, wanted)
  local keep = {}
  for i, entry in ipairs(entries) do
    local lines = entry.op and hits(entry, wanted) or {}
    if #lines > 0 then
      keep[i] = lines
      local j = i - 1
      while j > 0 and not entries[j].op and not keep[j] do
        if entries[j].text:match("end inline asm") then break end
        keep[j] = {}
        j = j - 1
      end
      local after = entries[i + 1]
      if after and after.text:match("end inline asm") then keep[i + 1] = {} end
    end
  end
  local rows, last = {}, nil
  for i, entry in ipairs(entries) do
    if keep[i] then
      if last and last < i - 1 then rows[#rows + 1] = {text = "    …", lines = {}} end
      rows[#rows + 1] = {text = entry.text, lines = keep[i]}
      last = i
    end
  end
  return rows
end

function excerpt.ptx(path, wanted)
  return cut(read(path, ptx_reader()), wanted)
end

function excerpt.sass(path, wanted)
  return cut(read(path, sass_reader()), wanted)
end

return excerpt
