-- html.lua: a pandoc filter that makes the HTML of one chapter, in sections.
--
--   pandoc -f json -t plain --lua-filter=book/html.lua AST (with the syntaxes)
--
-- HTML_OUT is written, a Lua table: {key, label, number, title, stem, nw,
-- sections = {{level, id, text, html, size}...}, ids = {...}, chunks = {{id,
-- short, name, number, line}...}, figures = {{id, src, caption}...}}. Links in
-- the HTML lead to href="#ID", wherever in the book that may be; `size` counts
-- them as they will be. Sections begin at headings of levels 1 to 3.

package.path = "book/?.lua;" .. package.path
local html_blocks = require "html_blocks"
local store = require "html_store"

local OPTIONS = {wrap_text = "wrap-none"}

local function version(tool)
  return (pandoc.pipe("tools/version.sh", {tool}, ""):gsub("%s+$", ""))
end

-- Footnotes are collected and stand at the end of their section.
local function collect_notes(doc, key)
  local count = 0
  return doc:walk {
    Note = function(el)
      count = count + 1
      local name = key .. "-note-" .. count
      return pandoc.Span(
        {pandoc.RawInline("html", string.format(
          '<sup><a id="%s-from" href="#%s" aria-label="Note %d">%d</a></sup>', name,
          name, count, count)),
         pandoc.Span(pandoc.utils.blocks_to_inlines(el.content),
                     pandoc.Attr(name, {"sidenote"}))})
    end}
end

local function slim(doc)
  return doc:walk {
    Cite = function(el) return el.content end,
    Link = function(el)
      if el.classes[1] ~= "term" then el.classes = {} end
      return el
    end}
end

-- pandoc's HTML without what the pages' policy forbids or nobody needs.
local function tidy(html)
  html = html:gsub("<colgroup>.-</colgroup>%s*", "")
  html = html:gsub('<table style="[^"]*"', "<table")
  html = html:gsub(' style="text%-align: right;"', ' class="R"')
  html = html:gsub(' style="text%-align: %a+;"', "")
  html = html:gsub(' role="doc%-%a+"', "")
  html = html:gsub(' class="header"', ""):gsub(' class="odd"', ""):gsub(' class="even"', "")
  html = html:gsub('<tr>\n', "<tr>"):gsub("</t([dh])>\n", "</t%1>")
  html = html:gsub("<thead>.-</thead>", function(head)
    return (head:gsub("<th([ >])", '<th scope="col"%1'))
  end)
  return html
end

local function estimate(html)
  local shorter = 0
  for href in html:gmatch('href="(#[^"]*)"') do
    shorter = shorter + math.max(0, #href - 16)
  end
  for _ in html:gmatch("\1svg:") do shorter = shorter - 30000 end
  return #html - shorter
end

local function sections_of(blocks)
  local list = {}
  for _, el in ipairs(blocks) do
    if el.t == "Header" and el.level <= 3 then
      list[#list + 1] = {level = el.level, id = el.identifier,
                         text = pandoc.utils.stringify(el), blocks = pandoc.List()}
    end
    if #list == 0 then error("the chapter does not begin with its title", 0) end
    list[#list].blocks:insert(el)
  end
  return list
end

local function text_of(value) return value and pandoc.utils.stringify(value) or "" end

function Pandoc(doc)
  local c = {key = text_of(doc.meta.key), nw = text_of(doc.meta.nw), numbers = {},
             figures = {}, tools = {nvcc = version "nvcc", ptxas = version "ptxas"}}
  local result = {key = c.key, label = text_of(doc.meta.label),
                  number = text_of(doc.meta.number), title = text_of(doc.meta.title),
                  stem = text_of(doc.meta.stem), nw = c.nw, sections = {}, ids = {},
                  chunks = {}, figures = c.figures}
  doc = slim(collect_notes(doc, c.key))
  doc:walk {
    Div = function(el)
      if el.classes[1] == "chunk" then
        local a = el.attributes
        c.numbers[el.identifier] = a.number
        result.chunks[#result.chunks + 1] = {
          id = el.identifier, short = "c" .. a.number:gsub("%.", "-"), name = a.name,
          number = a.number, line = tonumber(a.nw:match(":(%d+)$"))}
      end
    end}
  for _, section in ipairs(sections_of(html_blocks.convert(doc.blocks, c))) do
    local html = tidy(pandoc.write(pandoc.Pandoc(section.blocks), "html5", OPTIONS))
    for id in html:gmatch(' id="([^"]+)"') do table.insert(result.ids, id) end
    table.insert(result.sections, {level = section.level, id = section.id,
                                   text = section.text, html = html,
                                   size = estimate(html)})
  end
  store.write(os.getenv("HTML_OUT"), result)
  store.change(os.getenv("HTML_OUT"):gsub("%.lua$", ".chunks"), result.chunks)
  return pandoc.Pandoc {}
end
