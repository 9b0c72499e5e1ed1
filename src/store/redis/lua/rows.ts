import { takes } from './takes.ts'
import { indexing } from './words.ts'

/**
 * Opens a conversation with the fields behind its words. Answers 1; 0 if it is open already.
 */
export const open = `${takes(
  'row, out, conversations, allWords, ownWords',
  'id, updatedAt, words',
)}${indexing}
if redis.call('EXISTS', row) == 1 then return 0 end
redis.call('HSET', row, unpack(ARGV, 4))
redis.call('HSET', out, '~fence', '0')
redis.call('ZADD', conversations, updatedAt, id)
index(allWords, ownWords, id, words)
return 1
`

/**
 * Renames, pins or archives a conversation. A blank title stays; `isPinned` and `isArchived` are
 * `1`, `0` or blank. Answers 1; 0 if there is no such conversation.
 */
export const arrange = `${takes(
  'row, pinned, archived, news, allWords, ownWords, stale',
  'id, at, title, words, isPinned, isArchived',
)}${indexing}
if redis.call('EXISTS', row) == 0 then return 0 end
if title ~= '' then
  redis.call('HSET', row, 'title', title)
  index(allWords, ownWords, id, words)
  redis.call('SADD', stale, id)
end
for field, place in pairs({pinnedAt = {pinned, isPinned}, archivedAt = {archived, isArchived}}) do
  local list, wanted = place[1], place[2]
  if wanted == '1' then
    redis.call('HSET', row, field, at)
    redis.call('ZADD', list, at, id)
  elseif wanted == '0' then
    redis.call('HDEL', row, field)
    redis.call('ZREM', list, id)
  end
end
redis.pcall('PUBLISH', news, id)
return 1
`

/**
 * Marks a conversation as read; a no-op if a later state was read already. `need` is what of it is
 * seen now, or blank. Answers 1; 0 if there is no such conversation.
 */
export const read = `${takes('row, needs, news', 'at, need, id')}
if redis.call('EXISTS', row) == 0 then return 0 end
local known = tonumber(redis.call('HGET', row, 'lastReadAt') or '') or 0
if known < tonumber(at) then redis.call('HSET', row, 'lastReadAt', at) end
redis.call('ZREM', needs, need)
redis.pcall('PUBLISH', news, id)
return 1
`
