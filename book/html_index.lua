-- html_index.lua: the index of chunks and the index of identifiers.
--
-- index.place(map, sides) cuts them into pages and notes these in the map:
-- map.indexes.chunks and .identifiers = {{title, id, page}...}, and the places
-- of the ids i-NAME. index.pages(kind, map, sides) gives {{file, html}...}.

local html_code = require "html_code"

local index = {}
local escape = html_code.escape
local LIMIT = 200000

local function anchor(place)
  return string.format('<a href="#%s">%s</a>', place.id, place.number)
end

local function anchors(list)
  local out = {}
  for i, place in ipairs(list) do out[i] = anchor(place) end
  return table.concat(out, ", ")
end

local function by_text(a, b)
  local x, y = a:lower(), b:lower()
  if x ~= y then return x < y end
  return a < b
end

-- Sorts places as the book has them: by chapter, then by number.
local function in_order(list, rank)
  local function parts(place)
    local chapter, number = place.number:match("^(%w+)%.(%d+)$")
    return rank[chapter] or 0, tonumber(number) or 0
  end
  table.sort(list, function(a, b)
    local x, n = parts(a)
    local y, m = parts(b)
    if x ~= y then return x < y end
    return n < m
  end)
end

local function ranks(sides)
  local rank = {}
  for i, side in ipairs(sides) do
    rank[side.label:match("(%w+)$") or side.key] = i
  end
  return rank
end

-- The chunks of a chapter, files first.
local function chunk_rows(side)
  local list = {}
  for _, chunk in ipairs(side.chunks) do list[#list + 1] = chunk end
  table.sort(list, function(a, b)
    if (a.root ~= nil) ~= (b.root ~= nil) then return a.root ~= nil end
    return by_text(a.name, b.name)
  end)
  local out = {}
  for _, chunk in ipairs(list) do
    out[#out + 1] = string.format(
      "<tr><td>%s</td><td>%s</td><td>%s</td></tr>",
      chunk.root and "<code>" .. escape(chunk.name) .. "</code>" or
        "⟨" .. escape(chunk.name) .. "⟩",
      anchors(chunk.pieces), chunk.root and string.format('<a href="files/%s.html">whole file</a>',
                                   (chunk.root:gsub("/", "-"))) or anchors(chunk.users))
  end
  return table.concat(out, "\n")
end

local function chunk_sections(sides)
  local list = {}
  for _, side in ipairs(sides) do
    if #side.chunks > 0 then
      local title = side.label .. ": " .. side.title
      list[#list + 1] = {title = title, id = "chunks-" .. side.key, html = string.format(
        '<h2 id="chunks-%s">%s</h2>\n<div class="table"><table class="index"><thead><tr><th scope="col">' ..
        'Chunk</th><th scope="col">Defined</th><th scope="col">Used in</th></tr></thead>\n' ..
        "<tbody>%s</tbody></table></div>\n", side.key, escape(title), chunk_rows(side))}
    end
  end
  return list
end

-- Every name with its definitions, and for each of these its uses.
local function names_of(sides)
  local names, list, by_target = {}, {}, {}
  for _, side in ipairs(sides) do
    for _, def in ipairs(side.definitions) do
      if not names[def.name] then
        names[def.name] = {}
        list[#list + 1] = def.name
      end
      local key = def.name .. " " .. def.id
      if not by_target[key] then
        by_target[key] = {id = def.id, number = def.number, uses = {}}
        table.insert(names[def.name], by_target[key])
      end
    end
  end
  for _, side in ipairs(sides) do
    for _, use in ipairs(side.uses) do
      local entry = by_target[use.name .. " " .. use.target]
      if entry and use.id ~= entry.id then table.insert(entry.uses, use) end
    end
  end
  local rank = ranks(sides)
  for _, entry in pairs(by_target) do in_order(entry.uses, rank) end
  for _, entries in pairs(names) do in_order(entries, rank) end
  table.sort(list, by_text)
  return list, names
end

local function letter_of(name)
  return name:match("^%a") and name:sub(1, 1):upper() or "_"
end

local function identifier_sections(sides)
  local list, names = names_of(sides)
  local sections, last = {}, nil
  for _, name in ipairs(list) do
    local letter = letter_of(name)
    if letter ~= last then
      local id = letter == "_" and "names-other" or "names-" .. letter
      sections[#sections + 1] = {title = letter, id = id, rows = {}, names = {}}
      last = letter
    end
    local section, entries = sections[#sections], {}
    for i, entry in ipairs(names[name]) do
      entries[i] = string.format("<b>%s</b>%s", anchor(entry), #entry.uses > 0 and
        ", used in " .. anchors(entry.uses) or "")
    end
    table.insert(section.names, name)
    table.insert(section.rows, string.format('<dt id="i-%s"><code>%s</code></dt><dd>%s</dd>',
      name, name, table.concat(entries, "; ")))
  end
  for _, section in ipairs(sections) do
    section.html = string.format('<h2 id="%s">%s</h2>\n<dl class="names">\n%s\n</dl>\n',
      section.id, section.title, table.concat(section.rows, "\n"))
  end
  return sections
end

local makers = {chunks = chunk_sections, identifiers = identifier_sections}

-- Gives each section its page.
local function paged(kind, sides)
  local sections, page, size = makers[kind](sides), 1, 0
  for _, section in ipairs(sections) do
    local shorter = 0
    for href in section.html:gmatch('href="#([^"]*)"') do
      shorter = shorter + math.max(0, #href - 30)
    end
    local own = #section.html - shorter
    if size > 0 and size + own > LIMIT then page, size = page + 1, 0 end
    size = size + own
    section.page = kind .. (page > 1 and "-" .. page or "") .. ".html"
  end
  return sections
end

function index.place(map, sides)
  for kind in pairs(makers) do
    local list = {}
    for _, section in ipairs(paged(kind, sides)) do
      list[#list + 1] = {title = section.title, id = section.id, page = section.page}
      map.where[section.id] = section.page .. "#" .. section.id
      for _, name in ipairs(section.names or {}) do
        map.where["i-" .. name] = section.page .. "#i-" .. name
      end
    end
    map.indexes[kind] = list
  end
end

function index.pages(kind, sides)
  local pages = {}
  for _, section in ipairs(paged(kind, sides)) do
    local last = pages[#pages]
    if not last or last.file ~= section.page then
      last = {file = section.page, html = ""}
      pages[#pages + 1] = last
    end
    last.html = last.html .. section.html
  end
  return pages
end

return index
