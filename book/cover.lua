-- cover.lua: a pandoc writer that draws the book's cover, or with
-- `-M ornament=yes` only its picture, as SVG.
--
--   pandoc -f markdown -t book/cover.lua -M title=... -M subtitle=... \
--     -M author=... -o build/book/cover.svg /dev/null
--
-- The picture is the ladder of chapter 3 for sixteen lanes: each row is a rung,
-- a line leads to the lane that adds, and what is filled holds a proper sum.

local LANES = 16
local ACCENT, INK, FAINT = "#7a2b18", "#1d1d1d", "#b9b2a6"

local function rungs(left, top, gap, drop)
  local lines, dots = {}, {}
  local function x(lane) return left + gap * lane end
  local row, live = 0, LANES
  local function dot(lane, y, filled)
    dots[#dots + 1] = string.format(
      '<circle cx="%g" cy="%g" r="%g" fill="%s" stroke="%s" stroke-width="%g"/>',
      x(lane), y, gap * 0.16, filled and ACCENT or "none", filled and ACCENT or FAINT,
      gap * 0.045)
  end
  local function line(from, y, to, below, colour)
    lines[#lines + 1] = string.format(
      '<path d="M%g %gC%g %g %g %g %g %g" fill="none" stroke="%s" stroke-width="%g"/>',
      x(from), y, x(from), y + drop * 0.55, x(to), below - drop * 0.55, x(to), below,
      colour, gap * 0.06)
  end
  for lane = 0, LANES - 1 do dot(lane, top, true) end
  while live > 1 do
    local y, below, delta = top + row * drop, top + (row + 1) * drop, live // 2
    for lane = 0, delta - 1 do
      line(lane, y, lane, below, ACCENT)
      line(lane + delta, y, lane, below, ACCENT)
    end
    for lane = 0, LANES - 1 do dot(lane, below, lane < delta) end
    live, row = delta, row + 1
  end
  return table.concat(lines, "\n") .. "\n" .. table.concat(dots, "\n")
end

local function escape(text)
  return (text:gsub("[&<>]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"}))
end

local function words(x, y, size, style, text)
  return string.format('<text x="%g" y="%g" font-size="%g" %s>%s</text>', x, y, size,
                       style, escape(text))
end

local SERIF = 'font-family="Linux Libertine Display O, Linux Libertine O, ' ..
  'Libertinus Serif, Georgia, serif"'
local SANS = 'font-family="Linux Biolinum O, Candara, sans-serif"'

local function picture()
  return string.format(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 210">\n%s\n</svg>\n',
    rungs(20, 20, 40, 42))
end

local function cover(meta)
  local out = {
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 1600" ' ..
      'width="1200" height="1600">',
    '<rect width="1200" height="1600" fill="#fbf8f2"/>'}
  local y = 290
  for word in meta.title:gmatch("%S+") do
    out[#out + 1] = words(120, y, 170, SERIF .. ' fill="' .. INK .. '"', word)
    y = y + 180
  end
  out[#out + 1] = string.format('<rect x="124" y="%g" width="150" height="6" fill="%s"/>',
                                y - 90, ACCENT)
  local first, rest = meta.subtitle:match("^(.-,) (.*)$")
  for _, part in ipairs {first or meta.subtitle, rest} do
    out[#out + 1] = words(120, y, 56, SERIF .. ' font-style="italic" fill="' .. INK .. '"',
                          part)
    y = y + 72
  end
  out[#out + 1] = rungs(135, 1040, 62, 82)
  out[#out + 1] = words(120, 1520, 38, SANS .. ' fill="' .. INK .. '"', meta.author)
  out[#out + 1] = "</svg>"
  return table.concat(out, "\n") .. "\n"
end

function Doc(_, meta)
  return meta.ornament and picture() or cover(meta)
end

-- The document is empty; a writer has to know these all the same.
function Blocksep() return "" end
function Space() return " " end
function Str(text) return text end
