-- order.lua: the chapters of the book in their order, from book/order.txt.
--
-- order.read(path) gives a list of {key, nw, stem, part, label, number}: key
-- "ch3" or "apA" or "preface", label "Chapter 3" or "Appendix A" or "".

local order = {}

-- What a noweb file is called in the book: its key and its label.
function order.name(nw)
  local stem = nw:match("([^/]+)%.nw$") or nw
  local number = stem:match("^(%d+)%-")
  if number and tonumber(number) > 0 then
    number = tostring(tonumber(number))
    return "ch" .. number, "Chapter " .. number, number, stem
  end
  local letter = stem:match("^(%u)%-")
  if letter then return "ap" .. letter, "Appendix " .. letter, letter, stem end
  return (stem:gsub("^00%-", "")), "", "", stem
end

function order.read(path)
  local list, part = {}, ""
  for line in io.lines(path) do
    local first, second = line:match("^([^#\t]+)\t(.*)$")
    if first == "part" then
      part = second
    elseif first then
      local key, label, number, stem = order.name(second)
      if key ~= first then error(path .. ": " .. second .. " has key " .. key, 0) end
      list[#list + 1] = {key = key, nw = second, stem = stem, part = part,
                         label = label, number = number}
    end
  end
  return list
end

return order
