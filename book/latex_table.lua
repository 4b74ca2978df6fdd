-- latex_table.lua: a table as LaTeX, its columns as wide as what they hold.
--
-- latex_table.set(table, write) gives the text; `write` turns blocks into LaTeX.
-- A table whose cells fit on one line each keeps its natural width. In another
-- one the narrow columns do, and the wide ones share what is left.

local latex_table = {}

local ROOM = 80 -- characters of the table's type that fill the measure
local GAP = 2   -- what stands between two columns, in characters
local LONG = 24 -- rows of one line; a longer table may break over pages

local letters = {AlignLeft = "l", AlignRight = "r", AlignCenter = "c",
                 AlignDefault = "l"}

local function lines_of(cell)
  return pandoc.utils.stringify(pandoc.Div(cell.contents))
end

-- Rough width of a cell's text; code is set wider than prose.
local function measure(cell)
  local string = lines_of(cell)
  local longest, code = 0, 0
  for word in string:gmatch("%S+") do longest = math.max(longest, utf8.len(word)) end
  pandoc.Div(cell.contents):walk {Code = function(el)
    code = code + utf8.len(el.text)
  end}
  local length = utf8.len(string)
  return length + 0.1 * code, longest + (code > 0 and 0.1 * longest or 0)
end

local function rows_of(table_)
  local head, body = {}, {}
  for _, row in ipairs(table_.head.rows) do head[#head + 1] = row end
  for _, part in ipairs(table_.bodies) do
    for _, row in ipairs(part.head) do body[#body + 1] = row end
    for _, row in ipairs(part.body) do body[#body + 1] = row end
  end
  for _, row in ipairs(table_.foot.rows) do body[#body + 1] = row end
  return head, body
end

local function widths(rows, columns)
  local natural, least = {}, {}
  for i = 1, columns do natural[i], least[i] = 1, 1 end
  for _, row in ipairs(rows) do
    for i, cell in ipairs(row.cells) do
      local wide, word = measure(cell)
      natural[i], least[i] = math.max(natural[i], wide), math.max(least[i], word)
    end
  end
  return natural, least
end

-- The columns' specifications, and whether any cell may wrap.
local function specify(table_, natural, least)
  local columns, room, sum = #natural, ROOM, 0
  for i = 1, columns do sum = sum + natural[i] end
  local specs = {}
  if sum + GAP * (columns - 1) <= room then
    for i, spec in ipairs(table_.colspecs) do specs[i] = letters[spec[1]] end
    return specs, false
  end
  -- Narrow columns keep their width; the others get a share by their content.
  room = room - GAP * (columns - 1)
  local wide, share = {}, room / columns
  local left, total = room, 0
  for i = 1, columns do
    if natural[i] <= math.min(share, 22) then
      left = left - natural[i]
    else
      wide[i], total = true, total + math.sqrt(natural[i])
    end
  end
  for i, spec in ipairs(table_.colspecs) do
    if wide[i] then
      local width = math.max(left * math.sqrt(natural[i]) / total, math.min(least[i], 24))
      specs[i] = string.format("W{%.3f}", width / ROOM)
    else
      specs[i] = letters[spec[1]]
    end
  end
  return specs, true
end

local function row_text(row, write, strong)
  local cells = {}
  for i, cell in ipairs(row.cells) do
    local body = write(cell.contents):gsub("%s+$", "")
    cells[i] = strong and body ~= "" and "\\tablehead{" .. body .. "}" or body
  end
  return table.concat(cells, " & ") .. " \\\\"
end

function latex_table.set(table_, write)
  local head, body = rows_of(table_)
  local all = {}
  for _, row in ipairs(head) do all[#all + 1] = row end
  for _, row in ipairs(body) do all[#all + 1] = row end
  local natural, least = widths(all, #table_.colspecs)
  local specs, wraps = specify(table_, natural, least)
  local long = #body > (wraps and LONG / 2 or LONG)
  local name = long and "booklongtable" or "booktable"
  local out = {string.format("\\begin{%s}{@{}%s@{}}", name, table.concat(specs)),
               "\\toprule"}
  local has_head = false
  for _, row in ipairs(head) do
    for _, cell in ipairs(row.cells) do
      has_head = has_head or lines_of(cell) ~= ""
    end
  end
  if has_head then
    for _, row in ipairs(head) do out[#out + 1] = row_text(row, write, true) end
    out[#out + 1] = "\\midrule"
    if long then out[#out + 1] = "\\endhead" end
  end
  for _, row in ipairs(body) do out[#out + 1] = row_text(row, write) end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = string.format("\\end{%s}", name)
  return table.concat(out, "\n")
end

return latex_table
