-- weave.lua: makes pandoc's blocks of noweb's code chunks.
--
-- weave.new(doc, context) prepares a chapter; weave.block(w, item) gives the
-- block of one chunk:
--   Div #ID .chunk {name number piece pieces lang nw tangled root}
--     Div .chunk-head   the name, = or +=, links to the pieces before and after
--     CodeBlock .LANG {marks}
--     Div .chunk-foot   Div .used-in, .defines, .uses: links
-- marks tells the writers what in the code is a link, as "LINE:COLUMN:LENGTH:
-- KIND:ID" with blanks between: KIND is u (use of an identifier), d (its
-- definition) or r (a reference to a chunk). Lines and columns count from 1.

local slug = require "slug"

local weave = {}

-- Which roots (files) does each chunk become part of?
function weave.roots(doc)
  local by_name, roots = {}, {}
  for _, item in ipairs(doc.items) do
    if item.kind == "code" then
      by_name[item.name] = by_name[item.name] or {}
      table.insert(by_name[item.name], item)
    end
  end
  local function mark(name, root)
    roots[name] = roots[name] or {}
    if roots[name][root] then return end
    roots[name][root] = true
    for _, item in ipairs(by_name[name] or {}) do
      for _, line in ipairs(item.lines) do
        for _, part in ipairs(line) do
          if part.kind == "chunk" then mark(part.text, root) end
        end
      end
    end
  end
  for name in pairs(by_name) do
    if weave.is_root(name) then mark(name, name) end
  end
  return roots, by_name
end

function weave.is_root(name)
  return name:match("^[a-z0-9]+/[%w_.-]+%.%a+$") ~= nil or
    name:match("^[%w_.-]+%.mk$") ~= nil
end

local languages = {cu = "cuda", c = "c", h = "c", inc = "c", ptx = "ptx",
                   mk = "make", sass = "sass"}

function weave.language(roots)
  local best
  for root in pairs(roots or {}) do
    local lang = languages[root:match("%.(%a+)$")] or "c"
    if not best or lang == "cuda" then best = lang end
  end
  return best or "c"
end

-- context: {key, ids, names (of other chapters), kinds, map}
function weave.new(doc, context)
  local w = {doc = doc, key = context.key, context = context,
             number = context.number, label_item = {}, numbers = {}, uses = {}}
  w.ids = slug.chunks(doc, context.key)
  w.roots, w.by_name = weave.roots(doc)
  local count = 0
  for _, item in ipairs(doc.items) do
    if item.kind == "code" then
      count = count + 1
      w.label_item[item.label] = item
      w.numbers[item.label] = (w.number ~= "" and w.number .. "." or "") .. count
    end
  end
  w.own = {}
  for _, entry in ipairs(doc.index) do
    if entry.defs[1] then w.own[entry.name] = entry.defs[1] end
  end
  return w
end

-- Where a name is defined: the id of a chunk, and its number when it is ours.
function weave.target(w, name, label)
  label = label or w.own[name]
  if label and w.ids[label] then return w.ids[label], w.numbers[label] end
  local place = w.context.names[name]
  if place and place.key ~= w.key then return place.id end
end

-- The columns of a line that are comment or string. `state.comment` says
-- whether a comment is open, and is carried from line to line.
local function hidden(text, state)
  local cover, at = {}, 1
  while at <= #text do
    local two, one = text:sub(at, at + 1), text:sub(at, at)
    if state.comment then
      local stop = text:find("*/", at, true)
      local last = stop and stop + 1 or #text
      for i = at, last do cover[i] = true end
      state.comment, at = not stop, last + 1
    elseif two == "/*" then
      cover[at], cover[at + 1], state.comment, at = true, true, true, at + 2
    elseif two == "//" then
      for i = at, #text do cover[i] = true end
      at = #text + 1
    elseif one == '"' or one == "'" then
      local i = at + 1
      while i <= #text and text:sub(i, i) ~= one do
        i = i + (text:sub(i, i) == "\\" and 2 or 1)
      end
      for j = at, math.min(i, #text) do cover[j] = true end
      at = i + 1
    else
      at = at + 1
    end
  end
  return cover
end

-- Is the word NAME, between `before` and `after`, a use of what is defined
-- under that name? A field or a variable of the same name is not.
local function is_use(w, name, before, after)
  if before:match("[%.>]%s*$") and not before:match("%.%.%.%s*$") then
    return false
  end
  local kinds = w.context.kinds[name]
  if not kinds or kinds.other then return true end
  if kinds.tag and before:match("[su][tnrum]+[ictonm]* $") and
     (before:match("struct $") or before:match("union $") or
      before:match("enum $")) then
    return true
  end
  if kinds["function"] then
    return after:match("^%(") ~= nil or name:match("_") ~= nil
  end
  return false
end

local function defines(item, name)
  for _, entry in ipairs(item.defines) do
    if entry.name == name then return true end
  end
  return false
end

local function code_of(w, item)
  local texts, marks, uses, state = {}, {}, {}, {}
  for number, line in ipairs(item.lines) do
    local text, spots = "", {}
    for _, part in ipairs(line) do
      local shown = part.text
      if part.kind == "chunk" then
        shown = "<<" .. part.text .. ">>"
      end
      if part.kind ~= "text" then
        spots[#spots + 1] = {part = part, column = #text + 1, length = #shown}
      end
      text = text .. shown
    end
    texts[number] = text
    local cover = hidden(text, state)
    for _, spot in ipairs(spots) do
      local part, kind, id = spot.part, nil, nil
      if part.kind == "chunk" then
        kind, id = "r", part.label and w.ids[part.label]
      elseif not cover[spot.column] and
             is_use(w, part.text, text:sub(1, spot.column - 1),
                    text:sub(spot.column + spot.length)) then
        id = weave.target(w, part.text, part.label)
        kind = defines(item, part.text) and "d" or "u"
        if kind == "u" and id then uses[part.text] = id end
      end
      if kind and id then
        marks[#marks + 1] = string.format("%d:%d:%d:%s:%s", number, spot.column,
                                          spot.length, kind, id)
      end
    end
  end
  return table.concat(texts, "\n"), table.concat(marks, " "), uses
end

-- The places of a chunk in tangled/: "FILE:FIRST-LAST ...".
local function tangled(w, item)
  local first, last = item.lines[1], item.lines[#item.lines]
  if not first then return "" end
  local places, order = {}, {}
  for _, row in ipairs(w.context.map) do
    local low = math.max(row.from, first.number)
    local high = math.min(row.from + row.count - 1, last.number)
    if low <= high then
      local at = places[row.file]
      local a, b = row.at + low - row.from, row.at + high - row.from
      if not at then
        at = {a, b}
        places[row.file] = at
        order[#order + 1] = row.file
      end
      at[1], at[2] = math.min(at[1], a), math.max(at[2], b)
    end
  end
  local list = {}
  for _, file in ipairs(order) do
    list[#list + 1] = string.format("%s:%d-%d", file, places[file][1],
                                    places[file][2])
  end
  return table.concat(list, " ")
end

local function chunk_link(w, label, text, class)
  return pandoc.Link(text, "#" .. w.ids[label], "", pandoc.Attr("", {class}))
end

-- Inlines with commas between them.
local function listed(items)
  local out = pandoc.List()
  for i, item in ipairs(items) do
    if i > 1 then out:extend {pandoc.Str(","), pandoc.Space()} end
    out:extend(item)
  end
  return out
end

local function line_of(class, word, inlines)
  local all = pandoc.List {pandoc.Span(word, pandoc.Attr("", {"label"})),
                           pandoc.Space()}
  all:extend(inlines)
  return pandoc.Div({pandoc.Plain(all)}, pandoc.Attr("", {class}))
end

local function used_in(w, item)
  local links, seen = {}, {}
  for _, label in ipairs(item.used_in) do
    if w.label_item[label] and not seen[label] then
      seen[label] = true
      links[#links + 1] = {chunk_link(w, label, w.label_item[label].name .. " " ..
                                      w.numbers[label], "chunk-link")}
    end
  end
  return links
end

local function defined(w, item)
  local list = {}
  for _, entry in ipairs(item.defines) do
    local inlines = pandoc.List {pandoc.Code(entry.name)}
    local links, seen = {}, {[item.label] = true}
    for _, label in ipairs(entry.uses) do
      if not seen[label] and w.numbers[label] then
        seen[label] = true
        links[#links + 1] = {chunk_link(w, label, w.numbers[label], "chunk-link")}
      end
    end
    if #links > 0 then
      inlines:extend {pandoc.Space(), pandoc.Str("(used"), pandoc.Space(),
                      pandoc.Str("in"), pandoc.Space()}
      inlines:extend(listed(links))
      inlines:insert(pandoc.Str(")"))
    end
    list[#list + 1] = inlines
  end
  return list
end

local function used(uses)
  local names, list = {}, {}
  for name in pairs(uses) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    list[#list + 1] = {pandoc.Link(pandoc.Code(name), "#" .. uses[name], "",
                                   pandoc.Attr("", {"ident"}))}
  end
  return list
end

local function head(w, item, piece)
  local class = weave.is_root(item.name) and "chunk-file" or "chunk-name"
  local line = pandoc.List {
    pandoc.Span(item.name, pandoc.Attr("", {class})), pandoc.Space(),
    pandoc.Span(piece > 1 and "+≡" or "≡", pandoc.Attr("", {"chunk-sign"})),
    pandoc.Space(),
    pandoc.Span(w.numbers[item.label], pandoc.Attr("", {"chunk-number"}))}
  if item.prev then
    line:extend {pandoc.Space(),
                 chunk_link(w, item.prev, "◂ " .. w.numbers[item.prev], "chunk-prev")}
  end
  if item.next then
    line:extend {pandoc.Space(),
                 chunk_link(w, item.next, w.numbers[item.next] .. " ▸", "chunk-next")}
  end
  return pandoc.Div({pandoc.Plain(line)}, pandoc.Attr("", {"chunk-head"}))
end

function weave.block(w, item)
  local pieces, piece = w.by_name[item.name], 1
  for i, other in ipairs(pieces) do
    if other == item then piece = i end
  end
  local code, marks, uses = code_of(w, item)
  local lang = weave.language(w.roots[item.name])
  for name, target in pairs(uses) do
    table.insert(w.uses, {name = name, target = target, id = w.ids[item.label],
                          number = w.numbers[item.label]})
  end
  local foot = pandoc.List()
  local links = used_in(w, item)
  if #links > 0 and piece == 1 then
    foot:insert(line_of("used-in", "Used in", listed(links)))
  end
  local definitions = defined(w, item)
  if #definitions > 0 then
    foot:insert(line_of("defines", "Defines", listed(definitions)))
  end
  local names = used(uses)
  if #names > 0 then foot:insert(line_of("uses", "Uses", listed(names))) end
  local blocks = pandoc.List {
    head(w, item, piece),
    pandoc.CodeBlock(code, pandoc.Attr("", {lang}, {{"marks", marks}}))}
  if #foot > 0 then
    blocks:insert(pandoc.Div(foot, pandoc.Attr("", {"chunk-foot"})))
  end
  local attributes = {
    {"name", item.name}, {"number", w.numbers[item.label]},
    {"piece", tostring(piece)}, {"pieces", tostring(#pieces)}, {"lang", lang},
    {"nw", string.format("%s:%d", w.doc.file, item.line)},
    {"tangled", tangled(w, item)}}
  if weave.is_root(item.name) then
    attributes[#attributes + 1] = {"root", item.name}
  end
  return pandoc.Div(blocks, pandoc.Attr(w.ids[item.label], {"chunk"}, attributes))
end

return weave
