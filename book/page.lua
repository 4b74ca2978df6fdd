-- page.lua: pandoc's reader for a page of the book that is plain Markdown, such
-- as the colophon. `{{...}}` stands for a value of this build (values.lua).
--
--   pandoc -f book/page.lua -t json book/colophon.md

package.path = "book/?.lua;/usr/share/lua/5.3/?.lua;" .. package.path
local values = require "values"

function Reader(inputs)
  local book = {runs = os.getenv("BOOK_RUNS") or "build/book/runs",
                hardware = os.getenv("BOOK_HARDWARE") or "book/hardware"}
  local wrong = {}
  local text = tostring(inputs):gsub("{{(.-)}}", function(expression)
    local ok, value = pcall(values.fill, expression, book)
    if ok then return value end
    wrong[#wrong + 1] = string.format("{{%s}} cannot be filled: %s", expression,
                                      tostring(value))
    return ""
  end)
  if #wrong > 0 then
    local name = inputs[1] and inputs[1].name or "page"
    io.stderr:write(name, ": ", table.concat(wrong, "\n"), "\n")
    os.exit(1)
  end
  return pandoc.read(text, "markdown")
end
