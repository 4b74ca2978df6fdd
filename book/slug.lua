-- slug.lua: identifiers for anchors.
--
-- slug.of(text) makes "fold the warp" into "fold-the-warp".
-- slug.chunks(doc, key) gives {[noweb's label] = id of that piece of a chunk}.

local slug = {}

function slug.of(text)
  local id = text:lower():gsub("[^%w]+", "-"):gsub("^%-+", ""):gsub("%-+$", "")
  return id ~= "" and id or "x"
end

function slug.chunks(doc, key)
  local ids, taken, pieces = {}, {}, {}
  for _, item in ipairs(doc.items) do
    if item.kind == "code" then
      local piece = (pieces[item.name] or 0) + 1
      pieces[item.name] = piece
      local id = key .. "-chunk-" .. slug.of(item.name)
      if piece > 1 then id = id .. "-" .. piece end
      while taken[id] do id = id .. "x" end
      taken[id] = true
      ids[item.label] = id
    end
  end
  return ids
end

return slug
