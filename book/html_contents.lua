-- html_contents.lua: the first page of the book, and the data of the search.
--
-- contents.page(map, page_of, colophon) gives the HTML of index.html.
-- contents.search(map, sides, work, out) writes out/search-data.js.

local html_code = require "html_code"
local store = require "html_store"

local contents = {}
local escape = html_code.escape

local function sections(chapter)
  local links = {}
  for _, section in ipairs(chapter.sections) do
    if section.level == 2 then
      links[#links + 1] = string.format('<li><a href="#%s">%s</a></li>', section.id,
                                        escape(section.text))
    end
  end
  if #links == 0 then return "" end
  return "\n<ul>" .. table.concat(links, " ") .. "</ul>"
end

local function parts(map)
  local out, last, open = {}, "", false
  for _, chapter in ipairs(map.chapters) do
    if chapter.part ~= last or not open then
      if open then out[#out + 1] = "</ol>" end
      if chapter.part ~= "" then
        out[#out + 1] = string.format("<h3>%s</h3>", escape(chapter.part))
      end
      out[#out + 1] = '<ol class="toc-list">'
      last, open = chapter.part, true
    end
    out[#out + 1] = string.format(
      '<li><a class="title" href="#%s"><span class="num">%s</span>%s</a>%s</li>',
      chapter.key, chapter.number or "", escape(chapter.title), sections(chapter))
  end
  out[#out + 1] = '<li><a class="title" href="chunks.html">Index of chunks</a></li>' ..
    '<li><a class="title" href="identifiers.html">Index of identifiers</a></li></ol>'
  return table.concat(out, "\n")
end

-- The first sentence of a caption, without its stop.
local function brief(caption)
  return (caption:match("^(.-[^%d])%.%s") or caption:gsub("%.$", ""))
end

local function figure_list(map)
  local out = {}
  for _, chapter in ipairs(map.chapters) do
    for _, figure in ipairs(chapter.figures) do
      out[#out + 1] = string.format('<li><a href="#%s">%s</a> <span>%s</span></li>', figure.id,
                                    escape(brief(figure.caption)), chapter.label)
    end
  end
  if #out == 0 then return "" end
  return '<h2 id="figures">Figures</h2>\n<ul class="figures">' .. table.concat(out, "\n") .. "</ul>\n"
end

function contents.page(map, page_of, colophon)
  local first
  for _, chapter in ipairs(map.chapters) do
    if chapter.key:match("^ch") then first = first or chapter end
  end
  local start = {}
  if map.where.preface then
    start[#start + 1] = '<a href="#preface">The preface</a> says who the book is for and how to read it.'
  end
  if first then
    start[#start + 1] = string.format(
      '<a href="#%s">Chapter %s</a> is the first program.', first.key, first.number)
  end
  if map.where.ch11 then
    start[#start + 1] = 'Readers who come for the simulator begin at <a href="#ch11">chapter 11</a>.'
  end
  return string.format([[
<div class="cover">
<h1>The Shuffle Ladder</h1>
<p class="sub">A warp reduction by hand, in C, CUDA and PTX</p>
<p class="lead">A tutorial that adds up an array on a GPU, one small step a chapter: one lane, a warp that loads
together, five shuffles that fold it, a join across the block. No GPU is needed. The book brings a simulator,
in C, of the PTX that nvcc makes, and the simulator is chapters of the book.</p>
<p class="again" hidden></p>
<h2 id="start">Where to begin</h2>
<p>%s</p>
<p class="editions">Also as <a href="book.html">one page</a>, <a href="../shuffle-ladder.pdf">PDF</a> and
<a href="../shuffle-ladder.epub">EPUB</a>.</p>
</div>
<h2 id="contents">Contents</h2>
%s
%s<h2 id="colophon">Colophon</h2>
<div class="colophon">
%s</div>
]], table.concat(start, "\n"), parts(map), figure_list(map), colophon)
end

local function quote(text)
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", " ") .. '"'
end

-- [kind, text, page, anchor, where]: kinds are s(ection), c(hunk), i(dentifier),
-- t(erm).
function contents.search(map, sides, work, out)
  local pages, known, entries, names, sorted = {}, {}, {}, {}, {}
  local function add(kind, text, id, where)
    local place = map.where[id]
    if not place then return end
    local page, anchor = place:match("^(.-)#(.*)$")
    if not known[page] then
      pages[#pages + 1] = quote(page)
      known[page] = #pages - 1
    end
    entries[#entries + 1] = string.format("[%s,%s,%d,%s,%s]", quote(kind), quote(text),
                                          known[page], quote(anchor), quote(where))
  end
  for _, chapter in ipairs(map.chapters) do
    add("s", chapter.title, chapter.key, chapter.label)
    for _, section in ipairs(chapter.sections) do
      add("s", section.text, section.id, chapter.label)
    end
    if chapter.key == "apE" then
      for _, section in ipairs(dofile(work .. "/" .. chapter.stem .. ".lua").sections) do
        for id, term in section.html:gmatch('id="(term%-[^"]+)"[^>]*>(.-)</span>') do
          term = term:gsub("<[^>]*>", ""):gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&amp;", "&")
          add("t", term, id, "Glossary")
        end
      end
    end
  end
  for _, side in ipairs(sides) do
    for _, chunk in ipairs(side.chunks) do
      add("c", chunk.name, chunk.pieces[1].id, chunk.pieces[1].number)
    end
    for _, def in ipairs(side.definitions) do
      if not names[def.name] then
        names[def.name] = {def, count = 0}
        sorted[#sorted + 1] = def.name
      end
      names[def.name].count = names[def.name].count + 1
    end
  end
  for _, name in ipairs(sorted) do
    local def, count = names[name][1], names[name].count
    if count == 1 then
      add("i", name, def.id, def.number)
    else
      add("i", name, "i-" .. name, count .. " places")
    end
  end
  store.save(out .. "/search-data.js", string.format(
    "window.ladder.found([%s], [\n%s\n]);\n", table.concat(pages, ","),
    table.concat(entries, ",\n")))
end

return contents
