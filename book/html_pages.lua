-- html_pages.lua: writes pages, all links resolved.
--
-- A pandoc filter whose input is empty. HTML_PAGE says what to write: "chapter
-- STEM", "contents", "chunks", "identifiers", "book", "search" or "files FOLDER".
-- HTML_MAP is the map of html_map.lua, HTML_WORK and HTML_SIDE the folders of the
-- chapters and of their side data, HTML_FOLDER that of the pages, HTML_FIGURES
-- that of the drawings. BOOK_DRAFT=1 allows drawings to be missing. A link that
-- leads nowhere ends it with status 1 and the line of the .nw.

package.path = "book/?.lua;" .. package.path
local contents = require "html_contents"
local files = require "html_files"
local frame = require "html_frame"
local html_code = require "html_code"
local index = require "html_index"
local order = require "order"
local store = require "html_store"

local escape = html_code.escape
local map = dofile(os.getenv("HTML_MAP"))
local work_folder, out_folder = os.getenv("HTML_WORK"), os.getenv("HTML_FOLDER")
local figures = os.getenv("HTML_FIGURES") or "build/figures"
local problems = {}

-- The line of a chapter that has a text, as "file:line".
local function line_of(nw, text)
  local number = 0
  for line in io.lines(nw) do
    number = number + 1
    if line:find(text, 1, true) then return nw .. ":" .. number end
  end
  return nw
end

local function complainer(nw)
  return function(id)
    local key, note = id:match("^ref%-(.+)$"), ""
    if key then note = " (book/references.yaml has no such entry?)" end
    problems[#problems + 1] = string.format(
      "%s: the link to #%s leads nowhere%s", line_of(nw, key and "@" .. key or "#" .. id),
      id, note)
  end
end

local function missing(nw)
  return function(name, alt)
    if os.getenv("BOOK_DRAFT") == "1" then
      return string.format('<span class="draft" role="img" aria-label="%s">[%s]</span>',
                           alt, escape(name))
    end
    problems[#problems + 1] = string.format(
      "%s: the figure \"%s\" is not drawn: there is no %s/%s.svg",
      line_of(nw, 'src="' .. name .. '"'), name, figures, name)
    return ""
  end
end

local function page_of(chapter, part)
  return chapter.stem .. (part > 1 and "-" .. part or "") .. ".html"
end

local function label_of(chapter)
  return chapter.label ~= "" and chapter.label .. ": " .. chapter.title or chapter.title
end

-- All pages in reading order.
local function sequence()
  local list = {{href = "index.html", text = "Contents"}}
  for _, chapter in ipairs(map.chapters) do
    for n in ipairs(chapter.parts) do
      list[#list + 1] = {href = page_of(chapter, n), text = label_of(chapter) ..
                         (#chapter.parts > 1 and ", part " .. n or "")}
    end
  end
  for _, kind in ipairs {"chunks", "identifiers"} do
    local last
    for _, section in ipairs(map.indexes[kind]) do
      if section.page ~= last then
        list[#list + 1] = {href = section.page, text = "Index of " .. kind ..
          (last and ", from " .. section.title or "")}
        last = section.page
      end
    end
  end
  return list
end

local function neighbours(page)
  local list = sequence()
  for i, entry in ipairs(list) do
    if entry.href == page then return list[i - 1], list[i + 1] end
  end
end

local function toc(label, links)
  return string.format('<nav class="toc" id="toc" aria-label="%s">\n<p class="what">%s</p>\n<ul>\n%s\n</ul>\n</nav>',
                       label, label, table.concat(links, "\n"))
end

-- A list of letters runs on; one of titles has a line for each.
local function letters(nav)
  return (nav:gsub('class="toc"', 'class="toc letters"'))
end

local function glossary_nav(html)
  local links, last = {}, nil
  for id in html:gmatch('id="(term%-[^"]+)"') do
    local letter = id:sub(6, 6):upper()
    if letter ~= last then
      links[#links + 1] = string.format('<li><a href="#%s">%s</a></li>', id, letter)
      last = letter
    end
  end
  return letters(toc("In the glossary", links))
end

local function chapter_nav(chapter, page)
  local links = {}
  for _, section in ipairs(chapter.sections) do
    if section.level == 2 then
      links[#links + 1] = string.format('<li><a href="%s#%s">%s</a></li>',
        section.page == page and "" or section.page, section.id, escape(section.text))
    end
  end
  if #links == 0 then return nil end
  local kind = chapter.label:match("^%a+")
  return toc(kind and "In this " .. kind:lower() or "On this page", links)
end

local function heading(chapter, part)
  local small = #chapter.parts > 1 and
    string.format(" <small>part %d of %d</small>", part, #chapter.parts) or ""
  return function(html)
    local kicker = chapter.label ~= "" and
      string.format('<p class="kicker">%s</p>\n', chapter.label) or ""
    if part == 1 then
      return kicker .. html:gsub("</h1>", function() return small .. "</h1>" end, 1)
    end
    return string.format("%s<h1>%s%s</h1>\n%s", kicker, escape(chapter.title), small, html)
  end
end

-- The links between the parts of a long chapter.
local function part_links(chapter, part)
  if #chapter.parts == 1 then return "" end
  local links = {}
  for n in ipairs(chapter.parts) do
    local titles = {}
    for _, section in ipairs(chapter.sections) do
      if section.level == 2 and section.page == page_of(chapter, n) then
        titles[#titles + 1] = escape(section.text)
      end
    end
    links[n] = string.format("<li>%s%s</li>", n == part and
      string.format('<b aria-current="page">Part %d</b>', n) or
      string.format('<a href="%s">Part %d</a>', page_of(chapter, n), n),
      titles[1] and titles[1] .. (titles[2] and " – " .. titles[#titles] or "") or "")
  end
  return '<nav class="parts" aria-label="Parts of this chapter"><ul>' ..
    table.concat(links) .. "</ul></nav>\n"
end

local function permalinks(html)
  return (html:gsub('(<h[23] id="([^"]+)">)(.-)(</h[23]>)', function(open, id, text, close)
    return string.format('%s%s <a class="p" href="#%s" aria-label="Link to this section">#</a>%s',
                         open, text, id, close)
  end))
end

-- For the script: the code of a chapter in parts, to be shown in place.
local function chunk_data(chapter, work, page)
  local out = {}
  for _, section in ipairs(work.sections) do
    for short, rest, code in section.html:gmatch(
      '<a class="n" id="([^"]+)"(.-)</p><pre[^>]*><code>(.-)</code></pre>') do
      local next = rest:match('class="next" href="#([^"]+)"')
      next = next and map.where[next]:match("#(.*)$") or ""
      out[#out + 1] = string.format("%q:[%q,%q]", short, next,
                                    frame.resolve(code, page, map, function() end))
    end
  end
  local text = table.concat(out, ",\n"):gsub("\\\n", "\\n"):gsub("\\(%d+)", function(d)
    return string.format("\\u%04x", tonumber(d))
  end)
  store.save(string.format("%s/%s.js", out_folder, chapter.stem),
             string.format("window.ladder.chunks(%q, {\n%s\n});\n", chapter.stem, text))
end

-- Pages of an earlier build that this one does not have.
local function remove_from(stem, n)
  while os.remove(string.format("%s/%s-%d.html", out_folder, stem, n)) do n = n + 1 end
end

local function write_chapter(stem)
  local work = dofile(work_folder .. "/" .. stem .. ".lua")
  for _, chapter in ipairs(map.chapters) do
    if chapter.stem == stem then
      for n, part in ipairs(chapter.parts) do
        local page, html = page_of(chapter, n), {}
        for i = part.from, part.to do html[#html + 1] = work.sections[i].html end
        local text = permalinks(heading(chapter, n)(table.concat(html, "\n")))
        local links = part_links(chapter, n)
        if links ~= "" then
          text = text:gsub("</h1>\n", function() return "</h1>\n" .. links end, 1)
        end
        text = frame.draw(frame.resolve(text, page, map, complainer(chapter.nw)), figures,
                          missing(chapter.nw))
        local prev, next = neighbours(page)
        frame.write(out_folder, {
          file = page, title = label_of(chapter) .. (#chapter.parts > 1 and
            ", part " .. n or ""), main = text, nav = chapter_nav(chapter, page) or
            chapter.key == "apE" and glossary_nav(text) or nil,
          prev = prev, next = next, class = "text chapter " .. chapter.key,
          stem = chapter.stem})
      end
      remove_from(stem, #chapter.parts + 1)
      if #chapter.parts > 1 then
        chunk_data(chapter, work, chapter.stem .. ".js")
      else
        os.remove(string.format("%s/%s.js", out_folder, stem))
      end
    end
  end
end

local function sides_of()
  local list = {}
  for _, entry in ipairs(order.read("book/order.txt")) do
    local path = os.getenv("HTML_SIDE") .. "/" .. entry.stem .. ".lua"
    if store.text(path) then list[#list + 1] = dofile(path) end
  end
  return list
end

local function index_nav(kind, page)
  local links = {}
  for _, section in ipairs(map.indexes[kind]) do
    links[#links + 1] = string.format('<li><a href="%s#%s">%s</a></li>',
      section.page == page and "" or section.page, section.id, escape(section.title))
  end
  local nav = toc("In this index", links)
  return kind == "identifiers" and letters(nav) or nav
end

local leads = {
  chunks = "Every chunk of the book, chapter by chapter, with where it is defined and " ..
    "which chunks use it. Files come first.",
  identifiers = "Every name that the book’s programs define. A number in bold is the " ..
    "chunk of the definition; the others use it."}

local function write_index(kind)
  local first, list = true, index.pages(kind, sides_of())
  remove_from(kind, #list + 1)
  for _, page in ipairs(list) do
    local prev, next = neighbours(page.file)
    local html = string.format("<h1>Index of %s%s</h1>\n%s%s", kind,
      first and "" or " <small>continued</small>",
      first and "<p>" .. leads[kind] .. "</p>\n" or "", page.html)
    frame.write(out_folder, {
      file = page.file, title = "Index of " .. kind .. (first and "" or ", continued"),
      main = frame.resolve(html, page.file, map, complainer("book/html_index.lua")),
      nav = index_nav(kind, page.file), prev = prev, next = next, class = "text index"})
    first = false
  end
end

-- The whole book on one page: headings go down a level.
local function write_book()
  local out, links = {'<h1>The Shuffle Ladder <small>on one page</small></h1>'}, {}
  for _, chapter in ipairs(map.chapters) do
    local work, html = dofile(work_folder .. "/" .. chapter.stem .. ".lua"), {}
    for i, section in ipairs(work.sections) do html[i] = section.html end
    local text = table.concat(html, "\n"):gsub("<(/?)h([1-5])", function(close, level)
      return string.format("<%sh%d", close, level + 1)
    end)
    text = frame.resolve(text, "book.html", map, complainer(chapter.nw))
    local kicker = chapter.label ~= "" and '<p class="kicker">' .. chapter.label .. "</p>\n" or ""
    out[#out + 1] = kicker .. frame.draw(text, figures, missing(chapter.nw))
    links[#links + 1] = string.format('<li><a href="#%s">%s</a></li>', chapter.key,
                                      escape(label_of(chapter)))
  end
  frame.write(out_folder, {file = "book.html", title = "The book on one page",
    main = table.concat(out, "\n"), nav = toc("Chapters", links), class = "text book"})
end

local function write_contents()
  local html = contents.page(map, page_of, store.text(work_folder .. "/colophon.html") or "")
  frame.write(out_folder, {
    file = "index.html", title = frame.book, class = "contents",
    main = frame.resolve(html, "index.html", map, complainer("book/html_contents.lua"))})
end

local function main()
  local what, rest = os.getenv("HTML_PAGE"):match("^(%l+) ?(.*)$")
  if what == "chapter" then write_chapter(rest)
  elseif what == "contents" then write_contents()
  elseif what == "book" then write_book()
  elseif what == "search" then contents.search(map, sides_of(), work_folder, out_folder)
  elseif what == "files" then files.write(rest, map, work_folder, out_folder)
  else write_index(what) end
  if #problems > 0 then
    io.stderr:write(table.concat(problems, "\n"), "\n")
    os.exit(1)
  end
end

function Pandoc()
  main()
  return pandoc.Pandoc {}
end
