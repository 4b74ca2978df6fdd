-- noweb.lua: reads noweb's pipeline format, as `markup | autodefs.c |
-- defs.awk | finduses | noidx` leaves it, into a table.
--
-- noweb.parse(text) gives {file, items, chunks, index}:
--   items   in order: {kind = "docs", lines = {line...}} and
--           {kind = "code", name, label, line, lines = {line...}, prev, next,
--            used_in, pieces, unused, defines = {{name, uses = {label...}}...},
--            uses = {{name, label}...}}
--   a line  of prose or code is {number = line of the .nw, parts...}; a part is
--           {kind = "text" | "quote" | "chunk" | "use", text, label}; a quote
--           holds parts of its own
--   chunks  {{name, label, defs = {label...}, uses = {label...}}...}
--   index   {{name, label, defs = {label...}, uses = {label...}}...}
-- Every token of nowebfilters(7) is known; another one is an error.

local noweb = {}

local function fail(state, message)
  error({where = string.format("%s:%d", state.file or "noweb", state.line),
         message = message}, 0)
end

local function add_part(state, part)
  local line = state.quote or state.current
  if not line then fail(state, "text outside a chunk") end
  line[#line + 1] = part
end

local function open_line(state)
  if not state.item then return end
  state.current = {number = state.line}
  state.item.lines[#state.item.lines + 1] = state.current
end

-- Handlers of the tokens, by their first word; `rest` is what follows it.
local token = {}

token["@file"] = function(state, rest)
  state.file = state.file or rest
  state.line = 1
end

token["@line"] = function(state, rest)
  state.line = tonumber(rest) or fail(state, "@line needs a number")
end

token["@begin"] = function(state, rest)
  local kind = rest:match("^(%a+) %d+$")
  if kind ~= "docs" and kind ~= "code" then
    fail(state, "@begin of neither docs nor code: " .. rest)
  end
  if state.item then fail(state, "@begin inside a chunk") end
  state.item = {kind = kind, line = state.line, lines = {}, defines = {},
                uses = {}, used_in = {}, pieces = {}}
  state.doc.items[#state.doc.items + 1] = state.item
  if kind == "docs" then open_line(state) end
end

token["@end"] = function(state, rest)
  local item = state.item
  if not item or rest:match("^%a+") ~= item.kind then
    fail(state, "@end without its @begin")
  end
  local last = item.lines[#item.lines]
  if last and #last == 0 then item.lines[#item.lines] = nil end
  state.item, state.current, state.ref, state.pending = nil, nil, nil, nil
end

token["@text"] = function(state, rest)
  local item = state.item
  if not item then return end -- blanks before the first chunk
  if state.using then
    add_part(state, {kind = "use", text = rest, label = state.ref})
    state.using, state.ref = nil, nil
  elseif rest ~= "" then
    add_part(state, {kind = "text", text = rest})
  end
end

token["@nl"] = function(state)
  state.line = state.line + 1
  open_line(state)
end

token["@defn"] = function(state, rest)
  if not state.item or state.item.kind ~= "code" then
    fail(state, "@defn outside a code chunk")
  end
  state.item.name, state.item.label = rest, state.pending
  state.item.line = state.line
  state.ref = nil
end

token["@use"] = function(state, rest)
  add_part(state, {kind = "chunk", text = rest, label = state.ref})
  state.ref = nil
end

token["@quote"] = function(state)
  if state.quote then fail(state, "a quote inside a quote") end
  local quote = {kind = "quote"}
  add_part(state, quote)
  state.quote = quote
end

token["@endquote"] = function(state)
  if not state.quote then fail(state, "the end of a quote that never began") end
  state.quote = nil
end

-- The tagging tokens: cross references and the index.
local xref, index = {}, {}

token["@xref"] = function(state, rest)
  local word, value = rest:match("^(%S+) ?(.*)$")
  if not xref[word] then fail(state, "unknown token: @xref " .. rest) end
  xref[word](state, value)
end

token["@index"] = function(state, rest)
  local word, value = rest:match("^(%S+) ?(.*)$")
  if not index[word] then fail(state, "unknown token: @index " .. rest) end
  index[word](state, value)
end

function xref.label(state, value) state.pending = value end
function xref.ref(state, value)
  state.ref = value ~= "nw@notdef" and value or nil
end
function xref.prevdef(state, value) state.item.prev = value end
function xref.nextdef(state, value) state.item.next = value end
function xref.begindefs() end
function xref.defitem(state, value)
  table.insert(state.item.pieces, value)
end
function xref.enddefs() end
function xref.beginuses() end
function xref.useitem(state, value)
  table.insert(state.item.used_in, value)
end
function xref.enduses() end
function xref.notused(state) state.item.unused = true end
function xref.tag() end
function xref.beginchunks() end
function xref.chunkbegin(state, value)
  local label, name = value:match("^(%S+) (.*)$")
  state.entry = {name = name, label = label, defs = {}, uses = {}}
  table.insert(state.doc.chunks, state.entry)
end
function xref.chunkuse(state, value) table.insert(state.entry.uses, value) end
function xref.chunkdefn(state, value) table.insert(state.entry.defs, value) end
function xref.chunkend(state) state.entry = nil end
function xref.endchunks() end

function index.defn() end
function index.localdefn() end
function index.nl(state) state.line = state.line + 1 end
function index.use(state) state.using = true end
function index.begindefs(state) state.users = {} end
function index.isused(state, value) table.insert(state.users, value) end
function index.defitem(state, value)
  table.insert(state.item.defines, {name = value, uses = state.users})
  state.users = {}
end
function index.enddefs(state) state.users = nil end
function index.beginuses() end
function index.isdefined(state, value) state.defined = value end
function index.useitem(state, value)
  table.insert(state.item.uses, {name = value, label = state.defined})
  state.defined = nil
end
function index.enduses() end
function index.beginindex() end
function index.entrybegin(state, value)
  local label, name = value:match("^(%S+) (.*)$")
  state.entry = {name = name, label = label, defs = {}, uses = {}}
  table.insert(state.doc.index, state.entry)
end
function index.entryuse(state, value) table.insert(state.entry.uses, value) end
function index.entrydefn(state, value) table.insert(state.entry.defs, value) end
function index.entryend(state) state.entry = nil end
function index.endindex() end

-- Wrappers and messages.
token["@language"] = function() end
token["@header"] = function() end
token["@trailer"] = function() end
token["@literal"] = function(state, rest)
  if state.item then add_part(state, {kind = "text", text = rest}) end
end
token["@fatal"] = function(state, rest)
  fail(state, "noweb stopped: " .. rest)
end

function noweb.parse(text)
  local state = {line = 1, doc = {items = {}, chunks = {}, index = {}}}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    local word, rest = line:match("^(@%S+) ?(.*)$")
    if word and token[word] then
      token[word](state, rest)
    elseif line ~= "" then
      fail(state, "unknown token: " .. line)
    end
  end
  if state.item then fail(state, "the text ends inside a chunk") end
  state.doc.file = state.file
  return state.doc
end

return noweb
