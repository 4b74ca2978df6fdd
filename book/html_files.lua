-- html_files.lua: each tangled file whole, its lines numbered and linked to the
-- chunks that they come from.
--
-- files.write(folder, map, work, out) writes out/files/FOLDER-FILE.html
-- for the files of tangled/FOLDER, by its lines.map and the chapters' .chunks.

local frame = require "html_frame"
local html_code = require "html_code"

local files = {}
local escape = html_code.escape
local languages = {c = "c", h = "c", cu = "cuda", inc = "c", mk = "makefile"}

-- {[file] = {{at, nw, from, count}...}}
local function read_map(folder)
  local list, names = {}, {}
  for line in io.lines(string.format("tangled/%s/lines.map", folder)) do
    local file, at, nw, from, count = line:match("^(%S+) (%d+) (%S+) (%d+) (%d+)$")
    if not list[file] then
      list[file] = {}
      names[#names + 1] = file
    end
    table.insert(list[file], {at = tonumber(at), nw = nw, from = tonumber(from),
                              count = tonumber(count)})
  end
  return list, names
end

-- The chunk of a line of a chapter: the last that begins before it.
local chapters = {}
local function chunk_at(map, work, nw, line)
  if not chapters[nw] then
    for _, chapter in ipairs(map.chapters) do
      if chapter.nw == nw then
        chapters[nw] = dofile(string.format("%s/%s.chunks", work, chapter.stem))
      end
    end
    chapters[nw] = chapters[nw] or {}
  end
  local found
  for _, chunk in ipairs(chapters[nw]) do
    if chunk.line > line then break end
    found = chunk
  end
  return found
end

local function read_lines(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

local function chunks_of(rows, count, map, work)
  local list = {}
  for _, row in ipairs(rows) do
    for i = 0, row.count - 1 do
      list[row.at + i] = chunk_at(map, work, row.nw, row.from + i)
    end
  end
  for i = 1, count do list[i] = list[i] or false end
  return list
end

local function page(folder, file, rows, map, work)
  local path = string.format("tangled/%s/%s", folder, file)
  local texts = read_lines(path)
  local block = pandoc.CodeBlock(table.concat(texts, "\n"), pandoc.Attr("",
    {languages[file:match("%.(%w+)$")] or "c"}))
  local lines, out, last = html_code.lines(block), {}, nil
  for i, chunk in ipairs(chunks_of(rows, #texts, map, work)) do
    local place = chunk and map.where[chunk.id]
    local number = string.format("<b>%d</b>", i)
    if place and chunk ~= last then
      number = string.format('<a href="../%s" target="_top" title="%s">%s<b>%d</b></a>',
        place, html_code.attribute(chunk.name), chunk.number, i)
    end
    out[i] = string.format("<span id=L%d>%s%s\n</span>", i, number, lines[i] or "")
    last = chunk
  end
  local title = folder .. "/" .. file
  return {
    file = string.format("files/%s-%s.html", folder, file), title = title, up = "../",
    class = "whole", main = string.format(
      '<h1><code>%s</code></h1>\n<p class="lead">The file as it is compiled. The numbers on ' ..
      'the left lead to the chunks that its lines come from.</p>\n<pre tabindex="0" role="group" ' ..
      'aria-label="%s"><code>%s</code></pre>', escape(title), escape(title), table.concat(out))}
end

function files.write(folder, map, work, out)
  local rows, names = read_map(folder)
  for _, file in ipairs(names) do
    if not file:match("%.ptx$") then
      frame.write(out, page(folder, file, rows[file], map, work))
    end
  end
end

return files
