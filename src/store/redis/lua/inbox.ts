import { indexing } from './words.ts'

/**
 * KEYS row, inbox, messages, out, conversations, due, threads, needs, news, words, own words, seen…
 * · ARGV receipt, window ms, at, conversation id, entry, message or '', thread, now, what is seen
 * by it, words, then the fields of a new conversation.
 *
 * Dedupes and writes in one step (I1, I2).
 *
 * `moved`: this thread was opened by Clew and belongs to the answered conversation; nothing was
 * written.
 */
export const accept = `${indexing}
for i = 12, #KEYS do
  local first = redis.call('GET', KEYS[i])
  if first then
    for j = 12, #KEYS do redis.call('SET', KEYS[j], first, 'PX', ARGV[2], 'NX') end
    return {'duplicate', first}
  end
end
local bound = redis.call('HGET', KEYS[7], ARGV[7])
if bound and bound ~= ARGV[4] then return {'moved', bound} end
for i = 12, #KEYS do redis.call('SET', KEYS[i], ARGV[1], 'PX', ARGV[2]) end
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], unpack(ARGV, 11))
  redis.call('HSET', KEYS[4], '~fence', '0')
end
for _, field in ipairs({'updatedAt', 'lastReadAt'}) do
  local known = tonumber(redis.call('HGET', KEYS[1], field) or '') or 0
  if known < tonumber(ARGV[3]) then redis.call('HSET', KEYS[1], field, ARGV[3]) end
end
redis.call('ZADD', KEYS[5], 'GT', ARGV[3], ARGV[4])
redis.call('ZREM', KEYS[8], ARGV[9])
redis.pcall('PUBLISH', KEYS[9], ARGV[4])
redis.call('RPUSH', KEYS[2], ARGV[5])
index(KEYS[10], KEYS[11], ARGV[4], ARGV[10])
if ARGV[6] ~= '' then redis.call('RPUSH', KEYS[3], ARGV[6]) end
redis.call('ZADD', KEYS[6], 'LT', ARGV[8], ARGV[4])
return {'accepted', ''}
`
