-- code.lua: a filter that prints what html_code.block makes of each code block.
package.path = "book/?.lua;" .. package.path
local html_code = require "html_code"
function CodeBlock(el)
  io.stdout:write(html_code.block(el, {["ch3-chunk-b"] = "3.2"}), "\n--\n")
end
