-- refer.lua: links that the prose does not have to write.
--
-- refer.link(doc, w, book, complain) gives headings identifiers of their own
-- chapter, links "chapter 3" and "appendix A" where that chapter exists, code
-- that is an identifier to its definition, and **terms** to the glossary.
-- refer.title(doc) is the text of the first heading.

local slug = require "slug"
local weave = require "weave"

local refer = {}

function refer.title(doc)
  for _, el in ipairs(doc.blocks) do
    if el.t == "Header" and el.level == 1 then return pandoc.Inlines(el.content) end
  end
  return pandoc.Inlines("")
end

local function identify(key)
  return function(el)
    if el.level == 1 then
      el.identifier = key
    elseif el.identifier:sub(1, #key + 1) ~= key .. "-" then
      el.identifier = key .. "-" .. el.identifier
    end
    return el
  end
end

local kinds = {chapter = "ch", Chapter = "ch", appendix = "ap", Appendix = "ap"}

-- Links "chapter", space, "3" in a list of inlines.
local function chapters(known, own)
  return function(inlines)
    local out, i = pandoc.List(), 1
    while i <= #inlines do
      local word, gap, next = inlines[i], inlines[i + 1], inlines[i + 2]
      local kind = word.t == "Str" and kinds[word.text:match("^%(?(%a+)$") or ""]
      local number, rest
      if kind and gap and (gap.t == "Space" or gap.t == "SoftBreak") and next and
         next.t == "Str" then
        number, rest = next.text:match(kind == "ch" and "^(%d+)(.*)$" or "^(%u)(.*)$")
        if rest and rest:match("^%w") then number = nil end
      end
      local key = number and kind .. number
      if key and known[key] and key ~= own then
        local open = word.text:match("^%(")
        if open then out:insert(pandoc.Str("(")) end
        out:insert(pandoc.Link({pandoc.Str((word.text:gsub("^%(", ""))),
                                pandoc.Str("\u{a0}"), pandoc.Str(number)},
                               "#" .. key, "", pandoc.Attr("", {"chapter-link"})))
        if rest ~= "" then out:insert(pandoc.Str(rest)) end
        i = i + 3
      else
        out:insert(word)
        i = i + 1
      end
    end
    return out
  end
end

-- A link to where inline code that is an identifier is defined.
local function identifier(w)
  return function(el)
    local name = el.text:match("^([%a_][%w_]*)%(?%)?$")
    if not name or #el.classes > 0 then return nil end
    local kinds_of = w.context.kinds[name]
    if kinds_of and kinds_of.tag and not kinds_of["function"] and not kinds_of.other then
      return nil
    end
    local id = weave.target(w, name)
    if not id then return nil end
    return pandoc.Link(el, "#" .. id, "", pandoc.Attr("", {"ident"}))
  end
end

local function term(terms, own)
  return function(el)
    local text = pandoc.utils.stringify(el):lower()
    local id = terms[text] or terms[text:gsub("s$", "")]
    if not id or own == "apE" then return nil end
    return pandoc.Link(el, "#" .. id, "", pandoc.Attr("", {"term"}))
  end
end

-- No link inside a link, and none in a heading.
local function unnest(el)
  el.content = pandoc.Plain(el.content):walk {
    Link = function(inner) return inner.content end}.content
  return el
end

local function define_terms(list)
  for _, entry in ipairs(list.content) do
    local words = entry[1]
    local id = "term-" .. slug.of(pandoc.utils.stringify(pandoc.Plain(words)))
    entry[1] = {pandoc.Span(words, pandoc.Attr(id, {"term-name"}))}
  end
  return list
end

function refer.link(doc, w, book)
  local known, terms = {}, book.terms or {}
  for _, chapter in ipairs(book.chapters or {}) do known[chapter.key] = true end
  doc = doc:walk {Header = identify(w.key)}
  doc = doc:walk {Inlines = chapters(known, w.key), Code = identifier(w),
                  Strong = term(terms, w.key)}
  doc = doc:walk {Link = unnest, Header = unnest}
  if w.key == "apE" then doc = doc:walk {DefinitionList = define_terms} end
  return doc
end

return refer
