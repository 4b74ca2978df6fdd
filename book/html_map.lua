-- html_map.lua: which page holds what.
--
-- A pandoc filter that reads the chapters in sections (html.lua) and the side
-- data of them all, and writes HTML_MAP when what it says has changed:
--   chapters  {{key, label, number, title, stem, nw, part, parts = {{from, to}...},
--               sections = {{level, id, text, page}...}, figures}...}
--   where     {[id] = "page.html#anchor"}, for every id of the book
--   indexes   {chunks = {{title, id, page}...}, identifiers = ...}
-- A chapter too large for one page is split into parts at its sections.
-- HTML_WORK is the folder of the chapters, HTML_SIDE that of the side data.

package.path = "book/?.lua;" .. package.path
local index = require "html_index"
local order = require "order"
local store = require "html_store"

local LIMIT = 225000 -- a page's text, so that all of it stays under 300 KB

local map = {chapters = {}, where = {}, indexes = {}}

-- Units that may not be parted: sections of level 2, or of level 3 where one
-- of level 2 is too large by itself.
local function units_of(sections)
  local units = {}
  for i, section in ipairs(sections) do
    if section.level <= 2 or #units == 0 then
      units[#units + 1] = {from = i, to = i, size = section.size}
    else
      local unit = units[#units]
      if unit.size + section.size > LIMIT then
        units[#units + 1] = {from = i, to = i, size = section.size}
      else
        unit.to, unit.size = i, unit.size + section.size
      end
    end
  end
  return units
end

-- The units in `count` parts, and whether each part is within the limit.
local function cut(units, count, total)
  local parts, before, fits = {}, 0, true
  for _, unit in ipairs(units) do
    local n = math.min(count, math.floor((before + unit.size / 2) * count / total) + 1)
    before = before + unit.size
    local last = parts[#parts]
    if last and last.n == n then
      last.to, last.size = unit.to, last.size + unit.size
    else
      last = {n = n, from = unit.from, to = unit.to, size = unit.size}
      parts[#parts + 1] = last
    end
    fits = fits and last.size <= LIMIT
  end
  return parts, fits
end

-- Parts of about equal size, as few as the limit allows.
local function parts_of(sections)
  local units, total = units_of(sections), 0
  for _, unit in ipairs(units) do total = total + unit.size end
  local count = math.ceil(total / LIMIT)
  local parts, fits = cut(units, count, total)
  while not fits and count <= #units do
    count = count + 1
    parts, fits = cut(units, count, total)
  end
  local plain = {}
  for i, part in ipairs(parts) do plain[i] = {from = part.from, to = part.to} end
  return plain
end

local function page_of(stem, part)
  return stem .. (part > 1 and "-" .. part or "") .. ".html"
end

local function place(ids, page, shorts, stem)
  for _, id in ipairs(ids) do
    if map.where[id] then
      error(string.format("chapters/%s.nw: the id #%s is taken, by %s", stem, id,
                          map.where[id]), 0)
    end
    map.where[id] = page .. "#" .. (shorts[id] or id)
  end
end

local function add(work, part_title)
  local shorts = {}
  for _, chunk in ipairs(work.chunks) do shorts[chunk.id] = chunk.short end
  local chapter = {key = work.key, label = work.label, number = work.number,
                   title = work.title, stem = work.stem, nw = work.nw, part = part_title,
                   parts = parts_of(work.sections), sections = {}, figures = work.figures}
  for n, part in ipairs(chapter.parts) do
    for i = part.from, part.to do
      local section, ids = work.sections[i], {}
      for id in section.html:gmatch(' id="([^"]+)"') do ids[#ids + 1] = id end
      place(ids, page_of(work.stem, n), shorts, work.stem)
      if section.level > 1 then
        table.insert(chapter.sections, {level = section.level, id = section.id,
                                        text = section.text, page = page_of(work.stem, n)})
      end
    end
  end
  map.chapters[#map.chapters + 1] = chapter
end

local function main()
  local folder, sides = os.getenv("HTML_WORK"), {}
  for _, entry in ipairs(order.read("book/order.txt")) do
    local path = folder .. "/" .. entry.stem .. ".lua"
    if store.text(path) then
      add(dofile(path), entry.part)
      sides[#sides + 1] = dofile(os.getenv("HTML_SIDE") .. "/" .. entry.stem .. ".lua")
    end
  end
  add(dofile(folder .. "/bibliography.lua"), "Indexes")
  index.place(map, sides)
  store.change(os.getenv("HTML_MAP"), map)
end

function Pandoc()
  local ok, message = pcall(main)
  if not ok then
    io.stderr:write(tostring(message), "\n")
    os.exit(1)
  end
  return pandoc.Pandoc {}
end
