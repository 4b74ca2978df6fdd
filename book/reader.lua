-- reader.lua: pandoc's reader for noweb. Its input is one chapter in noweb's
-- pipeline format (markup | autodefs.c | defs.awk | finduses | noidx); prose is
-- pandoc's Markdown, chunks become the blocks that weave.lua describes.
--
--   pandoc -f book/reader.lua -t json CHAPTER.tok
--
-- Environment: BOOK_DATA, the table that collect.lua wrote; BOOK_NAMES, what
-- the chapters define; BOOK_TOKENS, the folder of token files; BOOK_RUNS, the
-- folder of the chapters' reports. All but the first input may be missing: then
-- a chapter stands alone. BOOK_SIDE, when set, is written: what indexes and
-- tables of contents need of the chapter (side.lua). Every mistake is told with its line of the .nw, and
-- pandoc ends with status 1.

package.path = "book/?.lua;/usr/share/lua/5.3/?.lua;" .. package.path
local noweb = require "noweb"
local order = require "order"
local refer = require "refer"
local side = require "side"
local values = require "values"
local markers = require "markers"
local weave = require "weave"

local problems = {}

local function complain(where, message)
  problems[#problems + 1] = string.format("%s: %s", where, message)
end

local function stop_if_wrong()
  if #problems == 0 then return end
  io.stderr:write(table.concat(problems, "\n"), "\n")
  os.exit(1)
end

-- The maps from chapters to tangled files: {[nw] = {{file, at, from, count}}}.
local maps
local function map_of(nw)
  if not maps then
    maps = {}
    local pipe = io.popen("grep -H '' tangled/*/lines.map 2>/dev/null")
    for line in pipe:lines() do
      local folder, file, at, source, from, count =
        line:match("^tangled/([^/]+)/lines%.map:(%S+) (%d+) (%S+) (%d+) (%d+)$")
      if folder then
        maps[source] = maps[source] or {}
        table.insert(maps[source], {file = folder .. "/" .. file, at = tonumber(at),
                                    from = tonumber(from), count = tonumber(count)})
      end
    end
    pipe:close()
  end
  return maps[nw] or {}
end

-- What is known of the other chapters.
local function load_book()
  local path = os.getenv("BOOK_DATA")
  local book = path and path ~= "" and dofile(path) or {chapters = {}, names = {}}
  book.runs = os.getenv("BOOK_RUNS") or "build/book/runs"
  book.tokens = os.getenv("BOOK_TOKENS") or "build/book/tokens"
  book.hardware = os.getenv("BOOK_HARDWARE") or "book/hardware"
  book.map_of = map_of
  book.kinds = {}
  local names = os.getenv("BOOK_NAMES")
  for line in names and io.lines(names) or function() end do
    local name, kind = line:match("^(%S+) (%S+)")
    if name then
      book.kinds[name] = book.kinds[name] or {}
      book.kinds[name][kind] = true
    end
  end
  return book
end

-- [[code]] as Markdown.
local function quoted(part)
  local text = ""
  for _, inner in ipairs(part) do text = text .. inner.text end
  local longest = 0
  for ticks in text:gmatch("`+") do longest = math.max(longest, #ticks) end
  local fence = string.rep("`", longest + 1)
  if text:match("^`") or text:match("`$") then text = " " .. text .. " " end
  return fence .. text .. fence
end

-- Fills the references of one stretch of prose. "\\{{" is "{{" itself.
local function fill(text, where, book)
  local filled = text:gsub("\\{{", "\1"):gsub("{{(.-)}}", function(expression)
    local ok, value = pcall(values.fill, expression, book)
    if ok then return value end
    complain(where, string.format("{{%s}} cannot be filled: %s", expression,
                                  tostring(value)))
    return ""
  end)
  if filled:find("{{", 1, true) then
    complain(where, "\"{{\" without \"}}\" on the same line")
  end
  return (filled:gsub("\1", "{{"))
end

-- The Markdown of a chapter, with a placeholder for each chunk and block.
local function markdown_of(w, book)
  local out, blocks = {}, {}
  local function place(content)
    blocks[#blocks + 1] = content
    out[#out + 1] = string.format("\n```{.weave n=%d}\n```\n", #blocks)
  end
  for _, item in ipairs(w.doc.items) do
    if item.kind == "code" then
      place(function() return {weave.block(w, item)} end)
    else
      for _, line in ipairs(item.lines) do
        local where = string.format("%s:%d", w.doc.file, line.number)
        local only = #line == 1 and line[1].kind == "text" and
                     line[1].text:match("^{{(.+)}}%s*$")
        if only and markers.is_block(only) then
          place(function()
            local ok, made = pcall(markers.block, w, only, book)
            if ok then return made end
            complain(where, string.format("{{%s}} cannot be filled: %s", only,
                                          tostring(made)))
            return {}
          end)
        else
          local text = ""
          for _, part in ipairs(line) do
            if part.kind == "quote" then
              text = text .. quoted(part)
            else
              text = text .. fill(part.text, where, book)
            end
          end
          out[#out + 1] = text
        end
      end
    end
  end
  return table.concat(out, "\n"), blocks
end

local FORMAT = "markdown-implicit_figures-yaml_metadata_block-raw_tex-tex_math_dollars"

local function read(inputs)
  local doc = noweb.parse(tostring(inputs))
  if not doc.file then error({where = "noweb", message = "no @file"}, 0) end
  local book = load_book()
  local key, label, number, stem = order.name(doc.file)
  local w = weave.new(doc, {key = key, number = number, names = book.names,
                            kinds = book.kinds, map = map_of(doc.file)})
  local text, blocks = markdown_of(w, book)
  stop_if_wrong()
  local result = pandoc.read(text, FORMAT)
  result = result:walk {
    CodeBlock = function(el)
      if el.classes[1] ~= "weave" then return nil end
      return blocks[tonumber(el.attributes.n)]()
    end}
  result = refer.link(result, w, book, complain)
  stop_if_wrong()
  result.meta = {key = key, label = label, number = number, stem = stem,
                 nw = doc.file, title = refer.title(result)}
  local path = os.getenv("BOOK_SIDE")
  if path then side.write(path, w, result, label, stem) end
  return result
end

function Reader(inputs)
  local ok, result = pcall(read, inputs)
  if ok then return result end
  if type(result) == "table" and result.where then
    complain(result.where, result.message)
  else
    complain("book/reader.lua", tostring(result))
  end
  stop_if_wrong()
end
