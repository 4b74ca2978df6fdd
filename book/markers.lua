-- markers.lua: the blocks that `{{...}}`, alone in a paragraph, stands for:
-- excerpts of this build's PTX and SASS, transcripts, tables, listings.
--
-- markers.is_block(text) tells a block's marker; markers.block(w, text, book)
-- gives its blocks. What cannot be filled is an error, a string.

local excerpt = require "excerpt"
local json = require "dkjson"
local noweb = require "noweb"
local order = require "order"
local values = require "values"
local weave = require "weave"

local markers = {}
local block = {}

local function fail(message, ...)
  error(string.format(message, ...), 0)
end

local function capture(...)
  local ok, text = pcall(pandoc.pipe, "tools/capture.sh", {...}, "")
  if not ok then
    local said = type(text) == "table" and text.output or tostring(text)
    fail("capture failed: %s", (said:gsub("%s+$", "")))
  end
  return (text:gsub("%s+$", ""))
end

-- Lines longer than a page's measure are continued with a hanging indent.
local MEASURE = 80
local function fold(text)
  local out = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    local indent = #line:match("^%s*")
    while utf8.len(line) > MEASURE do
      local stop = line:sub(1, utf8.offset(line, MEASURE + 1) - 1):match(".*()%s")
      if not stop or stop <= indent + 1 then break end
      out[#out + 1] = line:sub(1, stop - 1)
      line = string.rep(" ", math.min(indent + 2, 30)) .. line:sub(stop + 1)
    end
    out[#out + 1] = line
  end
  return table.concat(out, "\n")
end

local function listing(kind, head, code, attributes)
  return pandoc.Div(
    {pandoc.Div({pandoc.Plain(head)}, pandoc.Attr("", {"listing-head"})), code},
    pandoc.Attr("", {"listing", kind}, attributes or {}))
end

local function words(text)
  local list = pandoc.List()
  for word in text:gmatch("%S+") do
    if #list > 0 then list:insert(pandoc.Space()) end
    list:insert(pandoc.Str(word))
  end
  return list
end

local function terminal(command, text)
  return listing("terminal", {pandoc.Code(command)},
                 pandoc.CodeBlock(fold(text), pandoc.Attr("", {"terminal"})))
end

-- The chunk NAME of the program FILE, here or in another chapter.
local function find_chunk(w, file, name, book)
  local function wanted(doc)
    local roots, by_name = weave.roots(doc)
    return by_name[name] and roots[name] and roots[name][file] and by_name[name]
  end
  local pieces = wanted(w.doc)
  if pieces then return pieces, w end
  for _, chapter in ipairs(book.chapters or {}) do
    if chapter.key ~= w.key then
      local path = string.format("%s/%s.tok", book.tokens, chapter.stem)
      local input = io.open(path)
      local doc = input and noweb.parse(input:read("a"))
      if input then input:close() end
      pieces = doc and wanted(doc)
      if pieces then
        local key, _, number = order.name(doc.file)
        return pieces, weave.new(doc, {key = key, number = number,
                                       names = book.names or {}, kinds = book.kinds,
                                       map = book.map_of(doc.file)})
      end
    end
  end
  fail("%s has no chunk \"%s\"", file, name)
end

-- The lines of tangled FILE that the chunk's pieces make: a set, and a list in
-- the order of the chunk with one entry a line of it.
local function lines_of(pieces, file, map)
  local set, list = {}, {}
  for _, item in ipairs(pieces) do
    for _, line in ipairs(item.lines) do
      local found
      for _, row in ipairs(map) do
        local offset = line.number - row.from
        if row.file == file and offset >= 0 and offset < row.count then
          found = found or row.at + offset
          set[row.at + offset] = true
        end
      end
      list[#list + 1] = found or 0
    end
  end
  return set, list
end

local function row_list(rows)
  local texts, lines = {}, {}
  for i, row in ipairs(rows) do
    texts[i] = row.text
    local numbers = {}
    for j, line in ipairs(row.lines) do numbers[j] = tostring(line) end
    lines[i] = #numbers > 0 and table.concat(numbers, ",") or "-"
  end
  return table.concat(texts, "\n"), table.concat(lines, " ")
end

local function chunk_head(title, name, id, file)
  local head = words(title)
  head:extend {pandoc.Space(),
               pandoc.Link(pandoc.Span(name, pandoc.Attr("", {"chunk-name"})),
                           "#" .. id, "", pandoc.Attr("", {"chunk-link"})),
               pandoc.Str(","), pandoc.Space(), pandoc.Code(file)}
  return head
end

local function file_and_chunk(rest, marker)
  local file, name = rest:match('^(%S+) "(.-)"$')
  if not file then fail('write {{%s FILE "chunk"}}', marker) end
  return file, name
end

-- One excerpt, as a listing.
local function compiled(kind, file, name, pieces, home, wanted)
  local path = "build/" .. file:gsub("%.cu$", "." .. kind)
  local rows = excerpt[kind](path, wanted)
  if #rows == 0 then
    fail("no line of %s comes from \"%s\" of %s", path, name, file)
  end
  local text, lines = row_list(rows)
  return listing(kind, chunk_head(kind:upper() .. " of", name,
                                  home.ids[pieces[1].label], file),
                 pandoc.CodeBlock(text, pandoc.Attr("", {kind}, {{"rows", lines}})),
                 {{"file", file}})
end

local function compiled_block(kind)
  return function(w, rest, book)
    local file, name = file_and_chunk(rest, kind)
    local pieces, home = find_chunk(w, file, name, book)
    local wanted = lines_of(pieces, file, book.map_of(home.doc.file))
    return {compiled(kind, file, name, pieces, home, wanted)}
  end
end

block.ptx = compiled_block("ptx")
block.sass = compiled_block("sass")

local function source_text(pieces)
  local lines = {}
  for _, item in ipairs(pieces) do
    for _, line in ipairs(item.lines) do
      local text = ""
      for _, part in ipairs(line) do
        text = text .. (part.kind == "chunk" and "<<" .. part.text .. ">>" or part.text)
      end
      lines[#lines + 1] = text
    end
  end
  return table.concat(lines, "\n")
end

function block.side(w, rest, book)
  local file, name = file_and_chunk(rest, "side")
  local pieces, home = find_chunk(w, file, name, book)
  local wanted, list = lines_of(pieces, file, book.map_of(home.doc.file))
  local id = home.ids[pieces[1].label]
  local source = listing(
    "cuda", chunk_head("CUDA:", name, id, file),
    pandoc.CodeBlock(source_text(pieces),
                     pandoc.Attr("", {"cuda"}, {{"rows", table.concat(list, " ")}})),
    {{"file", file}})
  return {pandoc.Div({source, compiled("ptx", file, name, pieces, home, wanted),
                      compiled("sass", file, name, pieces, home, wanted)},
                     pandoc.Attr("", {"side"}, {{"file", file}}))}
end

function block.code(w, rest, book)
  local file, name = file_and_chunk(rest, "code")
  local pieces, home = find_chunk(w, file, name, book)
  local whole = weave.block(home, pieces[1])
  local code = whole.content[2]
  return {listing("code", chunk_head("From", name, home.ids[pieces[1].label], file),
                  code, {{"file", file}})}
end

function block.run(w, rest)
  return {terminal("make " .. rest, capture("run", rest))}
end

function block.check(w, rest)
  local file, options = rest:match("^(%S+)%s*(.-)$")
  local chapter, kernel = file:match("^chapter(%d+)/([%w_]+)%.cu$")
  if not chapter then fail("write {{check chapterN/NAME.cu [N=n]}}") end
  local arguments = {"check", file}
  for word in options:gmatch("%S+") do arguments[#arguments + 1] = word end
  local command = string.format("judge %s build/chapter%s/%s.ptx%s", chapter, chapter,
    kernel, options:gsub("N=(%d+)", " --n %1"):gsub("BLOCK=(%d+)", " --block %1"))
  return {terminal(command:gsub("  +", " "), capture(table.unpack(arguments)))}
end

-- {{output [FROM-TO] COMMAND}}: some lines of what a command prints, or all.
function block.output(w, rest)
  local first, last, command = rest:match("^(%d+)%-(%d+) (.+)$")
  command = command or rest
  local arguments = {"output"}
  for word in command:gmatch("%S+") do arguments[#arguments + 1] = word end
  local text = capture(table.unpack(arguments))
  if first then
    local lines, number = {}, 0
    for line in (text .. "\n"):gmatch("(.-)\n") do
      number = number + 1
      if number >= tonumber(first) and number <= tonumber(last) then
        lines[#lines + 1] = line
      end
    end
    if #lines == 0 then fail("%s prints no line %s", command, first) end
    text = table.concat(lines, "\n")
    command = string.format("%s  # lines %s to %s", command, first, last)
  end
  return {terminal(command, text)}
end

local function markdown(text) return pandoc.read(text, "markdown").blocks end

function block.counters(w, rest, book)
  local path = string.format("%s/%s/report.json", book.runs, rest)
  local input = io.open(path) or fail("%s has no report", rest)
  local report = json.decode(input:read("a"), 1, json.null)
  input:close()
  local out = {"| counter | simulator | closed form |", "|:---|---:|---:|"}
  for _, name in ipairs {
    "global_load_sectors", "global_store_sectors", "global_load_requests",
    "global_store_requests", "shared_load_wavefronts", "shared_store_wavefronts",
    "shared_bank_conflicts", "shuffles", "votes", "reduxes", "barriers",
    "instructions", "lane_instructions"} do
    local function cell(group)
      if report[group][name] == json.null then return "–" end
      return values.fill(string.format("%s.%s.%s", rest, group, name), book)
    end
    out[#out + 1] = string.format("| %s | %s | %s |", (name:gsub("_", " ")),
                                  cell("counters"), cell("expected"))
  end
  return {pandoc.Div(markdown(table.concat(out, "\n")),
                     pandoc.Attr("", {"counters"}))}
end

function block.sectors(w, rest)
  local ptx = "build/" .. rest:gsub("%.cu$", ".ptx")
  return {pandoc.Div(markdown(capture("output", "tools/sectors-table.sh", ptx)),
                     pandoc.Attr("", {"sectors"}))}
end

local kinds = {c = "c", h = "c", cu = "cuda", ptx = "ptx", lua = "lua", sh = "bash",
               awk = "awk", mk = "makefile", css = "css", js = "javascript"}

function block.file(w, rest)
  local path, first, last = rest:match("^(%S+) (%d+)%-(%d+)$")
  local _, from, _, to = rest:match("^%S+ (['\"])(.-)%1 (['\"])(.-)%3$")
  path = path or rest:match("^%S+")
  local input = io.open(path) or fail("there is no file %s", path)
  local lines, number, on = {}, 0, not first and not from
  for line in input:lines() do
    number = number + 1
    if first then
      on = number >= tonumber(first) and number <= tonumber(last)
    elseif from and #lines == 0 and line:find(from, 1, true) == 1 then
      on = true
    end
    if on then lines[#lines + 1] = line end
    if on and to and line:find(to, 1, true) == 1 then break end
  end
  input:close()
  if #lines == 0 then fail("%s has no such lines", path) end
  local lang = kinds[path:match("%.(%w+)$") or ""] or ""
  return {listing("file", {pandoc.Code(path)},
                  pandoc.CodeBlock(table.concat(lines, "\n"), pandoc.Attr("", {lang})),
                  {{"file", path}})}
end

function markers.is_block(text)
  local word, rest = text:match("^(%l+) (.+)$")
  return word and block[word] ~= nil and rest ~= nil
end

function markers.block(w, text, book)
  local word, rest = text:match("^(%l+) (.+)$")
  return block[word](w, rest, book)
end

return markers
