-- values.lua: what `{{...}}` in a line of prose stands for.
--
-- values.fill(expression, book) gives the text of one reference, for example
--   chapter1.counters.global_load_sectors        a field of a chapter's report
--   chapter1.gate.sectors / chapter2.gate.sectors | .1
--   hardware.kernels.serial.median_ms            a recorded figure of the H200
--   lines tangled/sim/*.c                        lines in these files
--   version nvcc                                 a tool of this build
-- What cannot be filled is an error, a string. `book` holds {runs = the folder
-- of reports, hardware = the folder of recorded figures}.

local json = require "dkjson"

local values = {}
local reports, tables = {}, {}

local function read_file(path)
  local file = io.open(path)
  if not file then return nil end
  local text = file:read("a")
  file:close()
  return text
end

local function fail(message, ...)
  error(string.format(message, ...), 0)
end

-- The report of a chapter's run in this build.
local function report(chapter, book)
  if not reports[chapter] then
    local path = string.format("%s/%s/report.json", book.runs, chapter)
    local text = read_file(path)
    if not text then fail("%s has no report (%s is not there)", chapter, path) end
    local parsed, _, message = json.decode(text, 1, json.null)
    if not parsed then fail("%s is not JSON: %s", path, message) end
    reports[chapter] = parsed
  end
  return reports[chapter]
end

-- A recorded table: a CSV file whose first column names the rows. Lines that
-- begin with "# name: text" describe where it was recorded.
local function recorded(name, book)
  if not tables[name] then
    local path = string.format("%s/%s.csv", book.hardware, name)
    local text = read_file(path)
    if not text then fail("there is no recorded table %s", path) end
    local rows, about, header = {}, {}, nil
    for line in text:gmatch("[^\n]+") do
      local key, value = line:match("^# ?(%w+): *(.*)$")
      local cells = {}
      for cell in (line .. ","):gmatch("([^,]*),") do
        cells[#cells + 1] = cell
      end
      if key then
        about[key] = value
      elseif not line:match("^#") and not header then
        header = cells
      elseif not line:match("^#") then
        local row = {}
        for i, column in ipairs(header) do row[column] = cells[i] end
        rows[cells[1]] = row
      end
    end
    for _, key in ipairs {"card", "driver", "toolkit", "date"} do
      if not about[key] then fail("%s does not name its %s", path, key) end
    end
    tables[name] = {rows = rows, about = about}
  end
  return tables[name]
end

local function hardware(words, book)
  if #words == 2 then
    local about = recorded("kernels", book).about
    return about[words[2]] or
      fail("the recorded figures do not name their %s", words[2])
  end
  local row = recorded(words[2], book).rows[words[3]]
  if not row then fail("there is no row %s in %s", words[3], words[2]) end
  local cell = row[words[4] or ""]
  if not cell or cell == "" then
    fail("there is no column %s in %s", tostring(words[4]), words[2])
  end
  return tonumber(cell) or cell
end

-- The value of a name with dots: a number, a string or a boolean.
local function look_up(name, book)
  local words = {}
  for word in name:gmatch("[^.]+") do words[#words + 1] = word end
  if words[1] == "hardware" then return hardware(words, book) end
  if not words[1]:match("^chapter%d+$") then
    fail("nothing is called %s", name)
  end
  local value = report(words[1], book)
  for i = 2, #words do
    if type(value) ~= "table" then fail("there is no %s in its report", name) end
    value = value[words[i]]
  end
  if value == nil then fail("there is no %s in its report", name) end
  if value == json.null then fail("%s is null in this run's report", name) end
  if type(value) == "table" then fail("%s is not one value", name) end
  return value
end

-- A sum, product or value: the usual arithmetic, by recursive descent.
local function calculate(text, book)
  local at = 1
  local function blank() at = text:match("^%s*()", at) end
  local sum
  local function factor()
    blank()
    local open = text:match("^%(()", at)
    if open then
      at = open
      local value = sum()
      blank()
      at = text:match("^%)()", at) or fail("a bracket is not closed")
      return value
    end
    local number, after = text:match("^([%d.]+)()", at)
    if number then
      at = after
      return tonumber(number) or fail("%s is no number", number)
    end
    local name, past = text:match("^([%a][%w_.]*)()", at)
    if not name then fail("cannot read \"%s\"", text:sub(at)) end
    at = past
    return look_up(name, book)
  end
  local function number(value)
    if type(value) ~= "number" then fail("%s is not a number", tostring(value)) end
    return value
  end
  local function product()
    local value = factor()
    while true do
      blank()
      local sign, after = text:match("^([*/])()", at)
      if not sign then return value end
      at = after
      local other = number(factor())
      if sign == "/" and other == 0 then fail("division by 0") end
      value = sign == "*" and number(value) * other or number(value) / other
    end
  end
  function sum()
    local value = product()
    while true do
      blank()
      local sign, after = text:match("^([+-])()", at)
      if not sign then return value end
      at = after
      local other = number(product())
      value = sign == "+" and number(value) + other or number(value) - other
    end
  end
  local value = sum()
  blank()
  if at <= #text then fail("cannot read \"%s\"", text:sub(at)) end
  return value
end

-- 4194304 as 4,194,304; what follows a decimal point stays as it is.
local function separate(digits)
  local sign, whole, rest = digits:match("^(-?)(%d+)(.*)$")
  whole = whole:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")
  return sign .. whole .. rest
end

local function show(value, format)
  if type(value) == "boolean" then return value and "yes" or "no" end
  if type(value) == "string" then return value end
  local decimals = format and format:match("^%.(%d)$")
  if decimals then return separate(string.format("%." .. decimals .. "f", value)) end
  if format == "hex" then return string.format("0x%x", value) end
  if format == "raw" then return string.format("%.17g", value) end
  if format then fail("there is no format \"%s\"", format) end
  if value == math.floor(value) then
    return separate(string.format("%d", value))
  end
  return separate(string.format("%.12g", value))
end

local function count_lines(pattern)
  local list = pandoc.pipe("sh", {"-c", 'cat -- $1', "sh", pattern}, "")
  local _, count = list:gsub("\n", "")
  if count == 0 then fail("%s has no lines", pattern) end
  return count
end

function values.fill(expression, book)
  local pattern = expression:match("^lines (%S+)$")
  if pattern then
    local ok, count = pcall(count_lines, pattern)
    if not ok then fail("there are no files %s", pattern) end
    return show(count)
  end
  local tool = expression:match("^version (%S+)$")
  if tool then
    local ok, text = pcall(pandoc.pipe, "tools/version.sh", {tool}, "")
    if not ok or text == "" then fail("the version of %s is not known", tool) end
    return (text:gsub("%s+$", ""))
  end
  local formula, format = expression:match("^(.-)%s*|%s*(%S+)$")
  return show(calculate(formula or expression, book), format)
end

return values
