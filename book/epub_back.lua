-- epub_back.lua: a pandoc reader that makes the two indexes of the EPUB.
--
--   pandoc -f book/epub_back.lua -t json book/order.txt
--
-- Environment: BOOK_STEMS, the chapters there are; BOOK_SIDE_FOLDER, where
-- their side files lie.

package.path = "book/?.lua;" .. package.path
local order = require "order"
local side = require "side"

local function chapters()
  local wanted, list = {}, {}
  for stem in (os.getenv("BOOK_STEMS") or ""):gmatch("%S+") do wanted[stem] = true end
  for _, chapter in ipairs(order.read("book/order.txt")) do
    if wanted[chapter.stem] then list[#list + 1] = chapter end
  end
  return side.read(os.getenv("BOOK_SIDE_FOLDER") or "build/book/side", list)
end

local function sort_key(name) return name:lower():gsub("[^%w]", "") .. "\0" .. name end

local function sorted(list)
  table.sort(list, function(a, b) return sort_key(a.name) < sort_key(b.name) end)
  return list
end

local function link(place, strong)
  local inner = pandoc.Link(place.number, "#" .. place.id)
  return strong and pandoc.Strong {inner} or inner
end

-- "name  3.2, 3.5": where it is defined, in bold, then where it is used.
local function entry(name, defined, used)
  local out, seen = pandoc.List {name, pandoc.Space()}, {}
  local function add(places, strong)
    for _, place in ipairs(places) do
      if not seen[place.id] then
        if next(seen) then out:extend {pandoc.Str(","), pandoc.Space()} end
        seen[place.id] = true
        out:insert(link(place, strong))
      end
    end
  end
  add(defined, true)
  add(used, false)
  return {pandoc.Plain(out)}
end

local function list_of(items)
  return pandoc.Div({pandoc.BulletList(items)}, pandoc.Attr("", {"index"}))
end

local function chunk_index(list, out)
  out:insert(pandoc.Header(1, "Index of chunks", pandoc.Attr("index-of-chunks")))
  out:insert(pandoc.Para("A number in bold defines the chunk; the others use it."))
  for _, chapter in ipairs(list) do
    local items = pandoc.List()
    for _, chunk in ipairs(sorted(chapter.chunks)) do
      local name = chunk.root and pandoc.Code(chunk.name) or pandoc.Emph(chunk.name)
      items:insert(entry(name, chunk.pieces, chunk.users))
    end
    if #items > 0 then
      local title = (chapter.label ~= "" and chapter.label .. ": " or "") .. chapter.title
      out:insert(pandoc.Header(2, title, pandoc.Attr("index-of-chunks-" .. chapter.key)))
      out:insert(list_of(items))
    end
  end
end

local function name_index(list, out)
  local names, entries = {}, {}
  for _, chapter in ipairs(list) do
    for _, place in ipairs(chapter.definitions) do
      local item = names[place.name]
      if not item then
        item = {name = place.name, defined = {}, used = {}}
        names[place.name], entries[#entries + 1] = item, item
      end
      table.insert(item.defined, place)
    end
  end
  for _, chapter in ipairs(list) do
    for _, place in ipairs(chapter.uses) do
      if names[place.name] then table.insert(names[place.name].used, place) end
    end
  end
  out:insert(pandoc.Header(1, "Index of identifiers",
                           pandoc.Attr("index-of-identifiers")))
  out:insert(pandoc.Para("A number in bold is the chunk that defines the name; " ..
                         "the others use it."))
  local letter, items
  for _, item in ipairs(sorted(entries)) do
    local first = item.name:gsub("[^%w]", ""):sub(1, 1):upper()
    if first ~= letter then
      if items then out:insert(list_of(items)) end
      letter, items = first, pandoc.List()
      out:insert(pandoc.Header(2, first, pandoc.Attr("index-of-identifiers-" .. first)))
    end
    items:insert(entry(pandoc.Code(item.name), item.defined, item.used))
  end
  if items then out:insert(list_of(items)) end
end

function Reader()
  local list, out = chapters(), pandoc.List()
  chunk_index(list, out)
  name_index(list, out)
  return pandoc.Pandoc(out)
end
