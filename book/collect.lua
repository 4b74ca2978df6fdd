-- collect.lua: a pandoc reader that looks at all chapters' token files at once
-- and writes what one chapter has to know of the others.
--
--   pandoc -f book/collect.lua -t plain -o /dev/null TOKENS...
--
-- BOOK_NAMES lists the names that chapters share (from defs.awk). BOOK_OUT is
-- written: a Lua table {chapters = {{key, label, title, stem, nw}...},
-- names = {[identifier] = {id, key}}, terms = {[term of the glossary] = id}}.

package.path = "book/?.lua;/usr/share/lua/5.3/?.lua;" .. package.path
local noweb = require "noweb"
local order = require "order"
local slug = require "slug"
local weave = require "weave"

local function shared_names(path)
  local shared = {}
  for line in io.lines(path) do
    local name = line:match("^(%S+) %S+ shared$")
    if name then shared[name] = true end
  end
  return shared
end

local function title_of(doc)
  for _, item in ipairs(doc.items) do
    for _, line in ipairs(item.lines) do
      local text = line[1] and line[1].text
      if item.kind == "docs" and text and text:match("^# ") then
        return text:sub(3)
      end
    end
  end
  error({where = doc.file, message = "the chapter has no title"}, 0)
end

local function rank(roots)
  local best = 3
  for root in pairs(roots or {}) do
    if root:match("%.c$") then best = math.min(best, 1) end
    if root:match("%.h$") then best = math.min(best, 2) end
    if root:match("^compat/") then best = math.min(best, 3) end
  end
  return best
end

-- The terms of the glossary: lines of prose followed by ":   definition".
local function terms_of(doc)
  local terms, last = {}, ""
  for _, item in ipairs(doc.items) do
    for _, line in ipairs(item.kind == "docs" and item.lines or {}) do
      local text = ""
      for _, part in ipairs(line) do
        text = text .. (part.kind == "quote" and part[1] and part[1].text or
                        part.text or "")
      end
      if text:match("^:%s") and last ~= "" then
        terms[last:lower()] = "term-" .. slug.of(last)
      end
      if text ~= "" then last = text:gsub("[*`]", "") end
    end
  end
  return terms
end

local function quote(text) return string.format("%q", text) end

function Reader(inputs)
  local shared = shared_names(os.getenv("BOOK_NAMES"))
  local chapters, names, out, terms = {}, {}, {}, {}
  for _, source in ipairs(inputs) do
    local doc = noweb.parse(tostring(source.text or source))
    local key, label, _, stem = order.name(doc.file)
    local ids, roots = slug.chunks(doc, key), weave.roots(doc)
    local chunk_of = {}
    for _, item in ipairs(doc.items) do
      if item.kind == "code" then chunk_of[item.label] = item.name end
    end
    chapters[#chapters + 1] = {key = key, label = label, title = title_of(doc),
                               stem = stem, nw = doc.file}
    if key == "apE" then terms = terms_of(doc) end
    for _, entry in ipairs(doc.index) do
      for _, def in ipairs(shared[entry.name] and entry.defs or {}) do
        local place = {id = ids[def], key = key, rank = rank(roots[chunk_of[def]])}
        local old = names[entry.name]
        if not old or place.rank < old.rank then names[entry.name] = place end
      end
    end
  end
  out[#out + 1] = "return {chapters = {"
  for _, c in ipairs(chapters) do
    out[#out + 1] = string.format(
      "  {key = %s, label = %s, title = %s, stem = %s, nw = %s},", quote(c.key),
      quote(c.label), quote(c.title), quote(c.stem), quote(c.nw))
  end
  out[#out + 1] = "}, names = {"
  local sorted = {}
  for name in pairs(names) do sorted[#sorted + 1] = name end
  table.sort(sorted)
  for _, name in ipairs(sorted) do
    local place = names[name]
    out[#out + 1] = string.format("  [%s] = {id = %s, key = %s},", quote(name),
                                  quote(place.id), quote(place.key))
  end
  out[#out + 1] = "}, terms = {"
  local words = {}
  for term in pairs(terms) do words[#words + 1] = term end
  table.sort(words)
  for _, term in ipairs(words) do
    out[#out + 1] = string.format("  [%s] = %s,", quote(term), quote(terms[term]))
  end
  out[#out + 1] = "}}"
  local file = assert(io.open(os.getenv("BOOK_OUT"), "w"))
  file:write(table.concat(out, "\n"), "\n")
  file:close()
  return pandoc.Pandoc({})
end
