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
 * Replaces the words of a conversation. KEYS words, stale, own words, row, messages · ARGV id,
 * title, number of messages, the last of them, words. Answers 0 if the conversation changed since
 * the words were read.
 */
export const reindex = `${indexing}${unindexing}
if (redis.call('HGET', KEYS[4], 'title') or '') ~= ARGV[2] then return 0 end
if redis.call('LLEN', KEYS[5]) ~= tonumber(ARGV[3]) then return 0 end
if (redis.call('LINDEX', KEYS[5], -1) or '') ~= ARGV[4] then return 0 end
unindex(KEYS[1], KEYS[3], ARGV[1])
index(KEYS[1], KEYS[3], ARGV[1], ARGV[5])
redis.call('SREM', KEYS[2], ARGV[1])
return 1
`
