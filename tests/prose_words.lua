-- prose_words.lua: a pandoc filter that leaves only a chapter's prose: no code,
-- no listings, no chunk captions. For the spelling check and the prose lint.

local function nothing() return {} end

function Code() return pandoc.Str "\u{2029}" end

CodeBlock = nothing
RawBlock = nothing

function Div(el)
  for _, class in ipairs {"chunk", "listing", "side", "counters", "sectors"} do
    if el.classes:includes(class) then return {} end
  end
end

function Link(el)
  if el.classes:includes "chunk-link" then return {} end
end

function Note(el) return pandoc.Span(pandoc.utils.blocks_to_inlines(el.content)) end

function Cite(el) return {} end
