import { auditing } from './audit.ts'

/**
 * KEYS effect, rows, history, owners, needs, news, then of the audit log, head, holder, index · ARGV revision that was read, TTL of the effect
 * in ms, answer, owner, expiry of the first open proposal, event or '', number of oldest events to
 * drop, name of what waits for a person or '', since when or '', random key, digest, text of the entry in the audit or '', then fields with their values; a
 * blank value deletes the field.
 *
 * Answers the outcome of this effect; nothing if the rows were changed meanwhile.
 */
export const remember = `${auditing}
local known = redis.call('GET', KEYS[1])
if known then return known end
if (redis.call('HGET', KEYS[2], '~revision') or '0') ~= ARGV[1] then return false end
redis.call('HINCRBY', KEYS[2], '~revision', 1)
for i = 13, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', KEYS[2], ARGV[i])
  else redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
end
if tonumber(ARGV[7]) > 0 then redis.call('LTRIM', KEYS[3], ARGV[7], -1) end
if ARGV[6] ~= '' then redis.call('RPUSH', KEYS[3], ARGV[6]) end
redis.call('ZADD', KEYS[4], ARGV[5], ARGV[4])
if ARGV[8] ~= '' then
  if ARGV[9] == '' then redis.call('ZREM', KEYS[5], ARGV[8])
  else redis.call('ZADD', KEYS[5], ARGV[9], ARGV[8]) end
  redis.pcall('PUBLISH', KEYS[6], '')
end
if ARGV[12] ~= '' then audit({unpack(KEYS, 7)}, ARGV[10], {unpack(ARGV, 11, 12)}) end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[2])
return ARGV[3]
`
