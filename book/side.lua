-- side.lua: what other pages have to know of a chapter, as a Lua table.
--
-- side.write(path, w, doc, label, stem) writes `return {...}` with
--   key, label, title, stem, nw
--   headings     {{level, id, text}...}
--   ids          {id...}, every anchor of the chapter
--   chunks       {{name, lang, root, pieces = {{id, number}...},
--                  users = {{id, number}...}}...}
--   definitions  {{name, id, number}...}
--   uses         {{name, target, id, number}...}: target may be elsewhere
--   figures      {{id, src, caption}...}
-- side.read(folder, chapters) gives these tables in the order of the chapters.

local weave = require "weave"

local side = {}

local function show(value, indent)
  if type(value) ~= "table" then return string.format("%q", value) end
  local out, inner = {}, indent .. " "
  for _, item in ipairs(value) do out[#out + 1] = inner .. show(item, inner) end
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    out[#out + 1] = string.format("%s[%q] = %s", inner, key, show(value[key], inner))
  end
  return "{\n" .. table.concat(out, ",\n") .. "}"
end

local function anchors(doc)
  local data = {headings = {}, ids = {}, figures = {}}
  local function note(el)
    local id = el.identifier
    if id and id ~= "" then table.insert(data.ids, id) end
  end
  doc:walk {
    Header = function(el)
      note(el)
      table.insert(data.headings, {level = el.level, id = el.identifier,
                                   text = pandoc.utils.stringify(el)})
    end,
    Div = function(el)
      note(el)
      if el.classes:includes "figure" then
        table.insert(data.figures, {id = el.identifier,
                                    src = el.attributes.src or "",
                                    caption = pandoc.utils.stringify(el)})
      end
    end,
    Span = note, Link = note, CodeBlock = note, Table = note}
  return data
end

local function place(w, label)
  return {id = w.ids[label], number = w.numbers[label]}
end

local function chunks(w)
  local list = {}
  for _, entry in ipairs(w.doc.chunks) do
    local chunk = {name = entry.name, pieces = {}, users = {},
                   lang = weave.language(w.roots[entry.name])}
    if weave.is_root(entry.name) then chunk.root = entry.name end
    for _, label in ipairs(entry.defs) do
      table.insert(chunk.pieces, place(w, label))
    end
    local seen = {}
    for _, label in ipairs(entry.uses) do
      if w.ids[label] and not seen[label] then
        seen[label] = true
        table.insert(chunk.users, place(w, label))
      end
    end
    list[#list + 1] = chunk
  end
  return list
end

local function definitions(w)
  local list = {}
  for _, item in ipairs(w.doc.items) do
    for _, entry in ipairs(item.defines) do
      list[#list + 1] = {name = entry.name, id = w.ids[item.label],
                         number = w.numbers[item.label]}
    end
  end
  return list
end

function side.write(path, w, doc, label, stem)
  local data = anchors(doc)
  data.key, data.label, data.stem, data.nw = w.key, label, stem, w.doc.file
  data.title = pandoc.utils.stringify(doc.meta.title)
  data.chunks, data.definitions, data.uses = chunks(w), definitions(w), w.uses
  table.sort(data.uses, function(a, b)
    if a.name ~= b.name then return a.name < b.name end
    return a.id < b.id
  end)
  local file = assert(io.open(path, "w"))
  file:write("return ", show(data, ""), "\n")
  file:close()
end

function side.read(folder, chapters)
  local list = {}
  for _, chapter in ipairs(chapters) do
    list[#list + 1] = dofile(string.format("%s/%s.lua", folder, chapter.stem))
    list[#list].part = chapter.part
  end
  return list
end

return side
