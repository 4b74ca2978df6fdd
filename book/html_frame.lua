-- html_frame.lua: what is around the text of a page, and its links.
--
-- frame.resolve(html, page, map, complain) turns href="#ID" into the place of
-- that id as seen from `page`; `complain(id)` is called for one that is nowhere.
-- frame.write(folder, page) writes a page: {file, title, main, nav, next, prev,
-- class, up, stem}, with the frame book/html/page.html.

local html_code = require "html_code"
local store = require "html_store"

local frame = {}
local escape = html_code.escape

-- An attribute's value, without quotes where it needs none.
local function value(text)
  return text:match("^[%w#._%-/]+$") and text or '"' .. text .. '"'
end

function frame.resolve(html, page, map, complain)
  return (html:gsub('href="#([^"]*)"', function(id)
    local place = map.where[id]
    if not place then
      complain(id)
      return nil
    end
    local file, anchor = place:match("^(.-)#(.*)$")
    if file == page or (page == "book.html" and not id:match("^i%-")) then
      return "href=" .. value("#" .. anchor)
    end
    return "href=" .. value(place)
  end))
end

-- Figures: the drawing of build/figures, without its XML head, named.
function frame.draw(html, folder, missing)
  return (html:gsub("\1svg:(.-)\1(.-)\1", function(name, alt)
    local svg = store.text(string.format("%s/%s.svg", folder, name))
    if not svg then return missing(name, alt) end
    svg = svg:gsub("^.-<svg", "<svg", 1):gsub("<!%-%-.-%-%->", "")
    svg = svg:gsub("<style.-</style>", ""):gsub("<title>.-</title>", "", 1)
    svg = svg:gsub("<desc>.-</desc>", "", 1):gsub(' style="[^"]*"', "")
    svg = svg:gsub(' role="[^"]*"', "", 1):gsub(' aria%-[%w]+="[^"]*"', "")
    return (svg:gsub("^<svg", function()
      return string.format('<svg role="img" aria-label="%s"', alt)
    end):gsub("%s+$", ""))
  end))
end

local template
function frame.fill(values)
  template = template or assert(store.text("book/html/page.html"),
                                "book/html/page.html is missing")
  return (template:gsub("{{(%w+)}}", function(name)
    return values[name] or error("page.html: nothing fills {{" .. name .. "}}", 0)
  end))
end

local function turn(link, rel)
  if not link then return "<span></span>" end
  return string.format('<a rel="%s" href="%s"><span>%s</span> %s</a>', rel, link.href,
                       rel == "prev" and "Previous" or "Next", escape(link.text))
end

function frame.write(folder, page)
  local up = page.up or ""
  local turns = ""
  if page.prev or page.next then
    turns = string.format('<nav class="turn" aria-label="Previous and next">%s%s</nav>',
                          turn(page.prev, "prev"), turn(page.next, "next"))
  end
  store.save(folder .. "/" .. page.file, frame.fill {
    title = escape(page.title == frame.book and page.title or
                   page.title .. " – " .. frame.book),
    class = page.class or "text", up = up, main = page.main, nav = page.nav or "",
    turns = turns, place = html_code.attribute(page.title), stem = page.stem or ""})
end

frame.book = "The Shuffle Ladder"

return frame
