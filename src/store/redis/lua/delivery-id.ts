/** Lua function that returns a delivery's id from its row. */
export const idOf = String.raw`
-- Earlier versions wrote halves of surrogate pairs, which cjson does not read; they stand in texts, never in an id.
local function idOf(text)
  local fine, read = pcall(cjson.decode, text)
  if not fine then
    local rest = string.gsub(text, '\\\\', '')
    fine, read = pcall(cjson.decode, (string.gsub(rest, '\\u[dD]%x%x%x', '')))
  end
  return fine and type(read) == 'table' and read.id
end
`
