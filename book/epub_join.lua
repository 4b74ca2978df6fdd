-- epub_join.lua: a pandoc filter over the whole book, for the EPUB's writer.
--
-- Parts become headings of level 1, chapters of level 2, sections of level 3,
-- which are the files of the EPUB. Links inside code, which the writer does not
-- see, are completed with the name of the file. A link that leads nowhere stops
-- the build.

package.path = "book/?.lua;" .. package.path
local order = require "order"

local SPLIT = 3 -- the level that begins a file, as in --epub-chapter-level

local function parts()
  local part_of = {}
  for _, chapter in ipairs(order.read("book/order.txt")) do
    part_of[chapter.key] = chapter.part
  end
  return part_of
end

local labels = {}
for _, chapter in ipairs(order.read("book/order.txt")) do
  labels[chapter.key] = chapter.label
end

local function title(el)
  local label = labels[el.identifier] or ""
  if label == "" then return el.content end
  local out = pandoc.List {pandoc.Str(label .. ":"), pandoc.Space()}
  out:extend(el.content)
  return out
end

local function with_parts(blocks)
  local out, part_of, part, count = pandoc.List(), parts(), "", 0
  local inside = false
  for _, el in ipairs(blocks) do
    if el.t == "Header" and el.level == 1 then
      local mine = part_of[el.identifier] or ""
      if mine ~= part and mine ~= "" then
        count = count + 1
        out:insert(pandoc.Header(1, mine, pandoc.Attr("part-" .. count, {"part"})))
      end
      part, inside = mine, mine ~= ""
      out:insert(pandoc.Header(inside and 2 or 1, title(el), el.attr))
    elseif el.t == "Header" then
      el.level = el.level + (inside and 1 or 0)
      out:insert(el)
    else
      out:insert(el)
    end
  end
  return out
end

-- In which file each anchor will be.
local function map(blocks)
  local file_of, number = {}, 0
  local function note(id)
    if id and id ~= "" then file_of[id] = string.format("ch%03d.xhtml", number) end
  end
  local function each(el) note(el.identifier) end
  for _, el in ipairs(blocks) do
    if el.t == "Header" and el.level <= SPLIT then number = number + 1 end
    if number == 0 then number = 1 end
    note(el.identifier)
    pandoc.Div({el}):walk {
      Header = each, Div = each, Span = each, Link = each, Table = each, Code = each,
      RawBlock = function(raw)
        for id in raw.text:gmatch(' id="([^"]+)"') do note(id) end
      end}
  end
  return file_of
end

function Pandoc(doc)
  local blocks = with_parts(doc.blocks)
  local file_of, wrong, seen = map(blocks), {}, {}
  local function check(id)
    if not file_of[id] and not seen[id] then
      seen[id] = true
      wrong[#wrong + 1] = "a link leads to #" .. id .. ", which is nowhere in the book"
    end
    return file_of[id]
  end
  doc.blocks = blocks
  doc = doc:walk {
    Link = function(el)
      local id = el.target:match("^#(.+)$")
      if id then check(id) end
    end,
    RawBlock = function(raw)
      raw.text = raw.text:gsub('href="#([^"]+)"', function(id)
        return string.format('href="%s#%s"', check(id) or "", id)
      end)
      return raw
    end}
  if #wrong > 0 then
    io.stderr:write(table.concat(wrong, "\n"), "\n")
    os.exit(1)
  end
  return doc
end
