-- pages.lua: on which page each anchor of the book stands, inside LuaLaTeX.
--
-- Every anchor writes \pg{ID}{PAGE}{NUMBER} into the .aux file: its page as it
-- is printed, and as a number that tells left from right. The next pass reads
-- them. pages.print(id) prints a page; pages.list(ids, limit) prints pages in
-- order, each once; pages.is_odd(id) tells a right-hand page. An unknown anchor
-- is told in the log, as "undefined reference", and printed as 000.

local pages = {at = {}, known = false}

function pages.read(path)
  local file = io.open(path)
  if not file then return end
  for line in file:lines() do
    local id, page, number = line:match("^\\pg{([^}]*)}{([^}]*)}{(%d+)}")
    if id then
      pages.at[id] = {label = page, number = tonumber(number)}
      pages.known = true
    end
  end
  file:close()
end

function pages.of(id)
  local page = pages.at[id]
  if page then return page end
  if pages.known then
    texio.write_nl("log", "undefined reference: " .. id)
    texio.write_nl("log", "")
  end
  return {label = "000", number = 1}
end

function pages.print(id) tex.sprint(-2, pages.of(id).label) end

function pages.is_odd(id) return pages.of(id).number % 2 == 1 end

-- Links to pages, with commas between; more than `limit` are cut off.
function pages.list(ids, limit, skip)
  local seen, list = {}, {}
  for id in (skip or ""):gmatch("%S+") do seen[pages.of(id).label] = true end
  for id in ids:gmatch("%S+") do
    local page = pages.of(id)
    if not seen[page.label] or not pages.known then
      seen[page.label] = true
      list[#list + 1] = {label = page.label, number = page.number, id = id}
    end
  end
  table.sort(list, function(a, b)
    if a.number ~= b.number then return a.number < b.number end
    return a.id < b.id
  end)
  local out = {}
  for i, page in ipairs(list) do
    if limit and i > limit and #list > limit + 1 then
      out[#out + 1] = "\\dots"
      break
    end
    out[#out + 1] = string.format("\\hyperlink{%s}{%s}", page.id, page.label)
  end
  tex.sprint(table.concat(out, ", "))
end

return pages
