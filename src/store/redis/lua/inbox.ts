import { takes } from './takes.ts'
import { indexing } from './words.ts'

/**
 * Stores an event with its message and conversation, deduped in the same step (I1, I2). Behind the
 * named keys are those that mark it as seen, for `window` ms; behind the arguments the fields of a
 * new conversation. `need`: what waits for a person no more; `message` may be blank.
 *
 * Answers `accepted`; `duplicate` and the first one's receipt; or `moved` and a conversation: Clew
 * opened this thread for that one, and nothing was written.
 */
export const accept = `${takes(
  'row, inbox, messages, out, conversations, due, threads, needs, news, allWords, ownWords',
  'receipt, window, at, id, entry, message, thread, now, need, words',
)}${indexing}
for i = 12, #KEYS do
  local first = redis.call('GET', KEYS[i])
  if first then
    for j = 12, #KEYS do redis.call('SET', KEYS[j], first, 'PX', window, 'NX') end
    return {'duplicate', first}
  end
end
local bound = redis.call('HGET', threads, thread)
if bound and bound ~= id then return {'moved', bound} end
for i = 12, #KEYS do redis.call('SET', KEYS[i], receipt, 'PX', window) end
if redis.call('EXISTS', row) == 0 then
  redis.call('HSET', row, unpack(ARGV, 11))
  redis.call('HSET', out, '~fence', '0')
end
for _, field in ipairs({'updatedAt', 'lastReadAt'}) do
  local known = tonumber(redis.call('HGET', row, field) or '') or 0
  if known < tonumber(at) then redis.call('HSET', row, field, at) end
end
redis.call('ZADD', conversations, 'GT', at, id)
redis.call('ZREM', needs, need)
redis.pcall('PUBLISH', news, id)
redis.call('RPUSH', inbox, entry)
index(allWords, ownWords, id, words)
if message ~= '' then redis.call('RPUSH', messages, message) end
redis.call('ZADD', due, 'LT', now, id)
return {'accepted', ''}
`
