-- answers.lua: puts what a reader should not see too early at a chapter's end:
-- the answers to its questions and the solutions to its exercises.
--
-- answers.take(blocks, key, where) takes them out of the blocks; where(kind, id)
-- gives the block that stands in their place ("Answer" or "Solution", and the
-- anchor it leads to). It returns the blocks, and a list of
-- {id, kind, title (inlines), question (its anchor), content}.
-- answers.heading(key) is the heading for them.

local answers = {}

local function question_of(div)
  local number = div.identifier:match("(%d+)$")
  return {id = div.identifier,
          title = {pandoc.Str("Question"), pandoc.Space(), pandoc.Str(number or "")}}
end

function answers.take(blocks, key, where)
  local kept = {}
  local function take(list, question)
    local out = pandoc.List()
    for _, el in ipairs(list) do
      if el.t == "Header" then
        question = {id = el.identifier, title = el.content}
      end
      local kind = el.t == "Div" and
        (el.classes:includes "answer" and "Answer" or
         el.classes:includes "solution" and "Solution")
      if kind then
        local id = string.format("%s-answer-%d", key, #kept + 1)
        kept[#kept + 1] = {id = id, kind = kind, title = question.title,
                           question = question.id, content = el.content}
        out:insert(where(kind, id))
      elseif el.t == "Div" then
        local named = el.classes:includes "predict" and el.identifier ~= ""
        el.content = take(el.content, named and question_of(el) or question)
        out:insert(el)
      else
        out:insert(el)
      end
    end
    return out
  end
  return take(blocks, {title = {}}), kept
end

function answers.heading(key)
  return pandoc.Header(2, "Answers and solutions",
                       pandoc.Attr(key .. "-answers-and-solutions"))
end

return answers
