-- tree.lua: a pandoc filter that prints a document as an indented tree, for
-- golden tests (use it with -t plain -o /dev/null): one line a block with its identifier, classes and attributes,
-- inline text with [links](#id), `code` and *stress*.

local function attributes(el)
  local out = {}
  if el.identifier ~= "" then out[#out + 1] = "#" .. el.identifier end
  for _, class in ipairs(el.classes) do out[#out + 1] = "." .. class end
  local keys = {}
  for key in pairs(el.attributes) do keys[#keys + 1] = key end
  table.sort(keys)
  for _, key in ipairs(keys) do
    out[#out + 1] = string.format("%s=%q", key, el.attributes[key])
  end
  return #out > 0 and " {" .. table.concat(out, " ") .. "}" or ""
end

local inlines

local function inline(el)
  if el.t == "Str" then return el.text end
  if el.t == "Space" then return " " end
  if el.t == "SoftBreak" then return "↵" end
  if el.t == "Code" then return "`" .. el.text .. "`" end
  if el.t == "Emph" then return "*" .. inlines(el.content) .. "*" end
  if el.t == "Strong" then return "**" .. inlines(el.content) .. "**" end
  if el.t == "Span" then
    return "<" .. inlines(el.content) .. attributes(el) .. ">"
  end
  if el.t == "Link" then
    return "[" .. inlines(el.content) .. "](" .. el.target .. ")"
  end
  if el.t == "Note" then return "^" .. pandoc.utils.stringify(el) .. "^" end
  if el.t == "Quoted" then return "“" .. inlines(el.content) .. "”" end
  return "?" .. el.t
end

function inlines(list)
  local out = {}
  for i, el in ipairs(list) do out[i] = inline(el) end
  return table.concat(out)
end

local function blocks(list, indent, out)
  local function put(text) out[#out + 1] = indent .. text end
  for _, el in ipairs(list) do
    if el.t == "Para" or el.t == "Plain" then
      put(el.t .. ": " .. inlines(el.content))
    elseif el.t == "Header" then
      put("Header " .. el.level .. attributes(el) .. ": " .. inlines(el.content))
    elseif el.t == "CodeBlock" then
      put("Code" .. attributes(el))
      for line in (el.text .. "\n"):gmatch("(.-)\n") do put("  |" .. line) end
    elseif el.t == "Div" then
      put("Div" .. attributes(el))
      blocks(el.content, indent .. "  ", out)
    elseif el.t == "BulletList" or el.t == "OrderedList" then
      put(el.t)
      for _, item in ipairs(el.content) do blocks(item, indent .. "  ", out) end
    else
      put(el.t .. ": " .. pandoc.utils.stringify(el))
    end
  end
end

function Pandoc(doc)
  local out = {}
  for _, key in ipairs {"key", "label", "number", "stem", "nw"} do
    out[#out + 1] = key .. ": " .. pandoc.utils.stringify(doc.meta[key] or "")
  end
  blocks(doc.blocks, "", out)
  io.stdout:write(table.concat(out, "\n"), "\n")
end
