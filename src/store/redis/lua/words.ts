import { takes } from './takes.ts'

/**
 * Adds words (separated by blanks) of a conversation to the index, and to the conversation's own
 * set of words.
 */
export const indexing = `
local function index(all, own, id, words)
  local members, names = {}, {}
  for word in string.gmatch(words, '%S+') do
    names[#names + 1] = word
    members[#members + 1] = 0
    members[#members + 1] = word .. '\\0' .. id
    if #names == 1000 then
      redis.call('SADD', own, unpack(names))
      redis.call('ZADD', all, unpack(members))
      members, names = {}, {}
    end
  end
  if #names == 0 then return end
  redis.call('SADD', own, unpack(names))
  redis.call('ZADD', all, unpack(members))
end
`

/** Removes all words of a conversation from the index. */
export const unindexing = `
local function unindex(all, own, id)
  for _, word in ipairs(redis.call('SMEMBERS', own)) do redis.call('ZREM', all, word .. '\\0' .. id) end
  redis.call('DEL', own)
end
`

/**
 * Replaces the words of a conversation. Answers 0 if its title, the number of its messages or the
 * last of them changed since the words were read.
 */
export const reindex = `${takes(
  'allWords, stale, ownWords, row, messages',
  'id, title, count, last, words',
)}${indexing}${unindexing}
if (redis.call('HGET', row, 'title') or '') ~= title then return 0 end
if redis.call('LLEN', messages) ~= tonumber(count) then return 0 end
if (redis.call('LINDEX', messages, -1) or '') ~= last then return 0 end
unindex(allWords, ownWords, id)
index(allWords, ownWords, id, words)
redis.call('SREM', stale, id)
return 1
`
