-- html_blocks.lua: the blocks of a chapter as blocks that pandoc can write:
-- chunks, listings, tables and callouts become raw HTML with prose between.
--
-- html_blocks.convert(blocks, c) gives a new list. c is the chapter: {numbers =
-- {[id of a chunk] = number}, tools = {nvcc, ptxas}, notes = list, key}.

local html_code = require "html_code"

local html_blocks = {}
local escape, attribute = html_code.escape, html_code.attribute

local function raw(...) return pandoc.RawBlock("html", string.format(...)) end

-- Inlines of captions and feet as HTML; these have words, code and links only.
local function plain(inlines)
  local out = {}
  for _, el in ipairs(inlines) do
    if el.t == "Str" then
      out[#out + 1] = escape(el.text)
    elseif el.t == "Code" then
      local text = escape(el.text)
      if #text > 24 then text = text:gsub("_", "_<wbr>") end
      out[#out + 1] = "<code>" .. text .. "</code>"
    elseif el.t == "Link" then
      out[#out + 1] = string.format('<a href="%s">%s</a>', attribute(el.target),
                                    plain(el.content))
    elseif el.t == "Span" and el.classes[1] == "chunk-name" then
      out[#out + 1] = "⟨" .. plain(el.content) .. "⟩"
    elseif el.t == "Span" and el.classes[1] == "label" then
      out[#out + 1] = "<b>" .. plain(el.content) .. "</b>"
    elseif el.content then
      out[#out + 1] = plain(el.content)
    else
      out[#out + 1] = " "
    end
  end
  return table.concat(out)
end

local function pre(el, label, numbers)
  return string.format('<pre tabindex="0" role="group" aria-label="%s"><code>%s</code></pre>',
                       attribute(label), html_code.block(el, numbers))
end

-- "chapter3/reduce.cu:4-10" as the page of the file and a link's text.
local function whole_file(place, text)
  local path, first, last = place:match("^(.-):(%d+)%-(%d+)$")
  return string.format('<a class="w" href="files/%s.html#L%s" data-to="%s">%s</a>',
                       (path:gsub("/", "-")), first, last, text or path)
end

local function find(el, class)
  for _, inner in ipairs(el.content) do
    if inner.t == "Div" and inner.classes[1] == class then return inner end
  end
end

local function turn(head, class, arrow, word)
  for _, el in ipairs(head.content[1].content) do
    if el.t == "Link" and el.classes[1] == class then
      return string.format('<a class="%s" href="%s">%s</a>', word, el.target, arrow ..
                           pandoc.utils.stringify(el):match("[%w.]+"))
    end
  end
  return ""
end

-- Does what stands under a chunk also fit beside it, where a page is wide?
local function height(lines)
  local sum = 0
  for _, line in ipairs(lines) do
    sum = sum + math.ceil(#line:gsub("<[^>]*>", "") / 30)
  end
  return sum
end

local function rows_of(text)
  local _, count = text:gsub("\n", "")
  return count + 2
end

-- A chunk: its caption, its code, and who uses what.
local function chunk(el, c)
  local a, head, foot = el.attributes, find(el, "chunk-head"), find(el, "chunk-foot")
  local name = a.root and "<code>" .. escape(a.name) .. "</code>" or
    "⟨" .. escape(a.name) .. "⟩"
  local short = "c" .. a.number:gsub("%.", "-")
  local places, more = {}, {}
  for place in a.tangled:gmatch("%S+") do
    local at = place:match("/reduce%.cu:") and 1 or #places + 1
    table.insert(places, at, place)
  end
  for i = 2, #places do
    more[#more + 1] = whole_file(places[i])
  end
  local out = {string.format(
    '<div class="chunk%s" id="%s"><p class="cap"><span class="name">%s</span> %s ' ..
    '<a class="n" id="%s" href="#%s">%s</a> %s%s%s</p>%s', a.root and " root" or "",
    el.identifier, name, tonumber(a.piece) > 1 and "+≡" or "≡", short, el.identifier,
    a.number, turn(head, "chunk-prev", "◂&nbsp;", "prev"),
    turn(head, "chunk-next", "▸&nbsp;", "next"),
    places[1] and whole_file(places[1], "whole file") or "",
    pre(el.content[2], "Code " .. a.number, c.numbers))}
  local lines = {}
  for _, line in ipairs(foot and foot.content or {}) do
    lines[#lines + 1] = string.format("<p>%s</p>", plain(line.content[1].content))
  end
  if #more > 0 then
    lines[#lines + 1] = "<p><b>Also in</b> " .. table.concat(more, ", ") .. "</p>"
  end
  if #lines > 0 then
    out[#out + 1] = string.format('<div class="foot%s">%s</div>',
      height(lines) <= rows_of(el.content[2].text) and " near" or "", table.concat(lines))
  end
  return {raw("%s", table.concat(out) .. "</div>")}
end

-- What stands behind a listing, by its class.
local function verdict(class, head, c)
  if class == "ptx" then
    return "compiled", string.format("compiled by nvcc %s in this build", c.tools.nvcc)
  elseif class == "sass" then
    return "compiled", string.format("compiled by ptxas %s in this build", c.tools.ptxas)
  elseif class == "terminal" then
    local on = head:match("^make ") or head:match("^judge ")
    return "modelled", on and "run on the simulator in this build" or "run in this build"
  end
end

local names = {ptx = "PTX", sass = "SASS", cuda = "CUDA", terminal = "Terminal",
               code = "Code", file = "File"}

local function head_of(el, c)
  local class = el.classes[2]
  local head = find(el, "listing-head").content[1].content
  local kind, words = verdict(class, pandoc.utils.stringify(head), c)
  return string.format('<p class="cap">%s%s</p>', plain(head),
                       kind and string.format(' <span class="v %s">%s</span>', kind, words) or "")
end

local function code_of(el)
  for _, inner in ipairs(el.content) do
    if inner.t == "CodeBlock" then return inner end
  end
end

local function listing(el, c)
  local class = el.classes[2]
  return {raw('<div class="listing %s">%s%s</div>', class, head_of(el, c),
              pre(code_of(el), names[class] or "Listing", c.numbers))}
end

-- Lines of one source line that stand together are one stop for the keyboard;
-- lines without a source line go with the neighbours that agree about theirs.
local function groups(texts, rows)
  local list, number = {}, 0
  for row in rows:gmatch("%S+") do
    number = number + 1
    local last = list[#list]
    if last and last.row == row then
      for _, text in ipairs(last.held) do table.insert(last, text) end
      last.held = {}
      table.insert(last, texts[number])
    elseif row == "-" and last and last.row then
      table.insert(last.held, texts[number])
    else
      local group = {row = row ~= "-" and row or nil, held = {}}
      if last and #last.held > 0 then
        local loose = {held = {}}
        for _, text in ipairs(last.held) do table.insert(loose, text) end
        last.held = {}
        list[#list + 1] = loose
      end
      table.insert(group, texts[number])
      list[#list + 1] = group
    end
  end
  local last = list[#list]
  if last and #last.held > 0 then
    local loose = {}
    for _, text in ipairs(last.held) do table.insert(loose, text) end
    list[#list + 1] = loose
  end
  return list
end

local function side_column(el, c)
  local block, class = code_of(el), el.classes[2]
  local out = {}
  for _, group in ipairs(groups(html_code.lines(block, c.numbers),
                                block.attributes.rows or "")) do
    local text = table.concat(group, "\n")
    if group.row and text:match("%S") then
      out[#out + 1] = string.format(
        '<span class="row" tabindex="0" role="group" aria-label="%s of line %s" data-l="%s">%s\n</span>',
        names[class], group.row:gsub(",", " and "), group.row:gsub(",", " "), text)
    else
      out[#out + 1] = text .. "\n"
    end
  end
  return string.format('<div class="listing %s">%s<pre tabindex="0" role="group" ' ..
                       'aria-label="%s"><code>%s</code></pre></div>', class,
                       head_of(el, c), names[class], table.concat(out))
end

local function side(el, c)
  local columns = {}
  for _, inner in ipairs(el.content) do
    if inner.t == "Div" then columns[#columns + 1] = side_column(inner, c) end
  end
  return {raw('<div class="side">%s</div>', table.concat(columns))}
end

local function wrapped(open, el, c, close)
  local list = pandoc.List {raw("%s", open)}
  list:extend(html_blocks.convert(el.content, c))
  list:insert(raw("%s", close))
  return list
end

local function open_tag(name, class, el, rest)
  local id = el.identifier ~= "" and string.format(' id="%s"', el.identifier) or ""
  return string.format('<%s class="%s"%s>%s', name, class, id, rest or "")
end

-- "*Hint 2.* Text" begins with words that say better what is folded.
local function own_summary(el)
  local first = el.content[1]
  local word = first and first.t == "Para" and first.content[1]
  local text = word and word.t == "Emph" and
    pandoc.utils.stringify(word):match("^(%a[%w ]*)%.$")
  if not text then return nil end
  first.content:remove(1)
  local gap = first.content[1] and first.content[1].t
  if gap == "Space" or gap == "SoftBreak" then first.content:remove(1) end
  if #first.content == 0 then el.content:remove(1) else el.content[1] = first end
  return text
end

local function folded(class, summary)
  return function(el, c)
    local text = escape(own_summary(el) or summary)
    return wrapped(open_tag("details", class, el, "<summary>" .. text .. "</summary>"),
                   el, c, "</details>")
  end
end

local function boxed(class)
  return function(el, c)
    return wrapped(open_tag("div", class, el), el, c, "</div>")
  end
end

-- The drawing is put in when the pages are made: "\1svg:NAME\1ALT\1".
local function figure(el, c)
  local name, alt = el.attributes.src or "", el.attributes.alt or ""
  if name == "" or alt == "" then
    error(string.format("%s: the figure #%s needs src and alt", c.nw, el.identifier), 0)
  end
  c.figures[#c.figures + 1] = {id = el.identifier, src = name,
                               caption = pandoc.utils.stringify(el)}
  local list = pandoc.List {raw('<figure id="%s"><div class="draw" tabindex="0" role="group" ' ..
    'aria-label="Figure">\1svg:%s\1%s\1</div><figcaption>', el.identifier, name, attribute(alt))}
  list:extend(html_blocks.convert(el.content, c))
  list:insert(raw("</figcaption></figure>"))
  return list
end

local function measured(class, words)
  return function(el, c)
    return wrapped(string.format('<div class="%s"><p class="cap"><span class="v modelled">%s</span></p>',
                                 class, words), el, c, "</div>")
  end
end

-- An answer says why each other option is wrong, each on a line of its own.
local function answer(el, c)
  el = pandoc.walk_block(el, {
    Inlines = function(inlines)
      for i = 1, #inlines - 1 do
        local next = inlines[i + 1]
        if (inlines[i].t == "SoftBreak" or inlines[i].t == "Space") and
           next.t == "Emph" and pandoc.utils.stringify(next):match("^Not ") then
          inlines[i] = pandoc.LineBreak()
        end
      end
      return inlines
    end})
  return folded("answer", "Answer")(el, c)
end

local makers = {
  chunk = chunk, listing = listing, side = side, figure = figure, answer = answer,
  hint = folded("hint", "Hint"), solution = folded("solution", "Solution"),
  predict = boxed("predict"), note = boxed("note"), remember = boxed("remember"),
  counters = measured("counters", "counted by the simulator in this build"),
  sectors = measured("sectors", "counted by the simulator in this build"),
}

local function inner(c)
  return {
    CodeBlock = function(el)
      return raw("%s", pre(el, "Code", c.numbers))
    end}
end

function html_blocks.convert(blocks, c)
  local out = pandoc.List()
  for _, el in ipairs(blocks) do
    local maker = el.t == "Div" and makers[el.classes[1] or ""]
    if maker then
      out:extend(maker(el, c))
    elseif el.t == "Div" then
      el.content = html_blocks.convert(el.content, c)
      out:insert(el)
    elseif el.t == "CodeBlock" then
      out:insert(inner(c).CodeBlock(el))
    elseif el.t == "Table" then
      out:extend {raw('<div class="table" tabindex="0" role="group" aria-label="Table">'),
                  el, raw("</div>")}
    else
      out:insert(pandoc.walk_block(el, inner(c)))
    end
  end
  return out
end

return html_blocks
