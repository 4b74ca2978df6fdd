-- html_store.lua: Lua tables in files.
--
-- store.write(path, table) writes a file that dofile reads back; its keys are in
-- order, so that equal tables make equal files. store.change(path, table) leaves
-- a file alone that already says the same. store.text(path) reads a file whole.

local store = {}

local function show(value, out)
  if type(value) ~= "table" then
    out[#out + 1] = string.format("%q", value)
    return
  end
  out[#out + 1] = "{"
  for _, item in ipairs(value) do
    show(item, out)
    out[#out + 1] = ",\n"
  end
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    out[#out + 1] = string.format("[%q]=", key)
    show(value[key], out)
    out[#out + 1] = ",\n"
  end
  out[#out + 1] = "}"
end

local function as_text(value)
  local out = {"return "}
  show(value, out)
  out[#out + 1] = "\n"
  return table.concat(out)
end

function store.text(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

function store.save(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

function store.write(path, value) store.save(path, as_text(value)) end

function store.change(path, value)
  local text = as_text(value)
  if store.text(path) ~= text then store.save(path, text) end
end

return store
