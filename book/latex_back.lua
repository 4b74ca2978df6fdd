-- latex_back.lua: what the printed book has around its chapters, in LaTeX.
--
--   texlua book/latex_back.lua FOLDER STEM...
--
-- reads book/order.txt and build/book/side/STEM.lua of the chapters there are,
-- and writes into FOLDER: book.tex, the whole; contents.tex; figures.tex, the
-- list of figures; chunks.tex and names.tex, the two indexes.
-- BOOK_SIDE_FOLDER is the folder of the side files.

package.path = "book/?.lua;" .. package.path
local order = require "order"
local side = require "side"
local text = require "latex_text"

local folder = arg[1]
local wanted = {}
for i = 2, #arg do wanted[arg[i]] = true end

local function write(name, lines)
  local file = assert(io.open(folder .. "/" .. name .. ".tex", "w"))
  file:write(table.concat(lines, "\n"), "\n")
  file:close()
end

local function chapters()
  local list = {}
  for _, chapter in ipairs(order.read("book/order.txt")) do
    if wanted[chapter.stem] then list[#list + 1] = chapter end
  end
  return side.read(os.getenv("BOOK_SIDE_FOLDER") or "build/book/side", list)
end

local function line(format, ...)
  return string.format(format, ...)
end

local function part_id(number) return "part-" .. number end

-- Calls with each part's title before the chapters of it.
local function each(list, on_part, on_chapter)
  local part, count = "", 0
  for _, chapter in ipairs(list) do
    if chapter.part ~= part then
      part, count = chapter.part, count + 1
      on_part(part, count)
    end
    on_chapter(chapter)
  end
end

local function book(list)
  local out = {
    "% Made by book/latex_back.lua.",
    "\\documentclass[twoside]{book}", "\\usepackage{ladder}", "\\begin{document}",
    "\\input{front}", "\\contents{\\input{contents}}",
    "\\figurelist{\\input{figures}}"}
  local main = false
  local function begin_main()
    if not main then out[#out + 1] = "\\beginmain" end
    main = true
  end
  each(list, function(part, number)
    begin_main()
    out[#out + 1] = line("\\bookpart{%s}{%s}", part_id(number), text.escape(part))
  end, function(chapter)
    if chapter.label ~= "" then begin_main() end
    out[#out + 1] = line("\\input{%s}", chapter.stem)
  end)
  begin_main()
  out[#out + 1] = "\\beginback"
  out[#out + 1] = "\\bibliographypart{\\input{bibliography}}"
  out[#out + 1] = "\\chunkindex{\\input{chunks}}"
  out[#out + 1] = "\\nameindex{\\input{names}}"
  out[#out + 1] = "\\end{document}"
  write("book", out)
end

local function contents(list)
  local out = {}
  each(list, function(part, number)
    out[#out + 1] = line("\\tocpart{%s}{%s}", part_id(number), text.escape(part))
  end, function(chapter)
    for _, heading in ipairs(chapter.headings) do
      if heading.level == 1 then
        out[#out + 1] = line("\\tocchapter{%s}{%s}{%s}", text.key(heading.id),
                             chapter.label, text.escape(heading.text))
      elseif heading.level == 2 then
        out[#out + 1] = line("\\tocsection{%s}{%s}", text.key(heading.id),
                             text.escape(heading.text))
      end
    end
  end)
  out[#out + 1] = "\\tocgap"
  for _, entry in ipairs {{"bibliography", "Bibliography"},
                          {"index-of-chunks", "Index of chunks"},
                          {"index-of-identifiers", "Index of identifiers"}} do
    out[#out + 1] = line("\\tocchapter{%s}{}{%s}", entry[1], entry[2])
  end
  write("contents", out)
end

-- The first sentence of a caption, for the list.
local function first_sentence(caption)
  return caption:match("^(.-[%.:])%s") or caption
end

local function figures(list)
  local out = {}
  for _, chapter in ipairs(list) do
    for i, figure in ipairs(chapter.figures) do
      local number = chapter.label:match("%S+$")
      out[#out + 1] = line("\\tocfigure{%s}{%s%d}{%s}", text.key(figure.id),
                           number and number .. "." or "", i,
                           text.escape(first_sentence(figure.caption)))
    end
  end
  write("figures", out)
end

local function ids_of(places)
  local ids = {}
  for i, place in ipairs(places) do ids[i] = text.key(place.id) end
  return table.concat(ids, " ")
end

-- Sorted without regard to case, punctuation last.
local function sort_key(name)
  return name:lower():gsub("[^%w]", "") .. "\0" .. name
end

local function sorted(list)
  table.sort(list, function(a, b) return sort_key(a.name) < sort_key(b.name) end)
  return list
end

local function chunk_index(list)
  local out = {}
  for _, chapter in ipairs(list) do
    if #chapter.chunks > 0 then
      out[#out + 1] = line("\\indexchapter{%s}{%s}", chapter.label,
                           text.escape(chapter.title))
    end
    for _, chunk in ipairs(sorted(chapter.chunks)) do
      out[#out + 1] = line("\\%s{%s}{%s}{%s}", chunk.root and "indexfile" or "indexchunk",
                           chunk.root and text.code(chunk.name) or text.escape(chunk.name),
                           ids_of(chunk.pieces), ids_of(chunk.users))
    end
  end
  write("chunks", out)
end

local function name_index(list)
  local names, entries = {}, {}
  local function entry(name)
    if not names[name] then
      names[name] = {name = name, defined = {}, used = {}}
      entries[#entries + 1] = names[name]
    end
    return names[name]
  end
  for _, chapter in ipairs(list) do
    for _, place in ipairs(chapter.definitions) do
      table.insert(entry(place.name).defined, place)
    end
  end
  for _, chapter in ipairs(list) do
    for _, place in ipairs(chapter.uses) do
      if names[place.name] then table.insert(names[place.name].used, place) end
    end
  end
  local out, letter = {}, nil
  for _, item in ipairs(sorted(entries)) do
    local first = item.name:gsub("[^%w]", ""):sub(1, 1):upper()
    if first ~= letter then
      letter = first
      out[#out + 1] = line("\\indexletter{%s}", letter)
    end
    out[#out + 1] = line("\\indexident{%s}{%s}{%s}", text.code(item.name),
                         ids_of(item.defined), ids_of(item.used))
  end
  write("names", out)
end

local list = chapters()
book(list)
contents(list)
figures(list)
chunk_index(list)
name_index(list)
