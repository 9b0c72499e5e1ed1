import { auditing } from './audit.ts'
import { takes } from './takes.ts'

/**
 * Changes an owner's memory, once an effect, if it still has this revision. `ttl` is that of the
 * effect, in ms; `expiry` that of the first open proposal; `drop` the number of oldest events to
 * drop. `event`, `need`, `since` and `text` may be blank. Behind them are fields with their values;
 * a blank value deletes the field.
 *
 * Answers the outcome of this effect; nothing if the rows were changed meanwhile.
 */
export const remember = `${takes(
  'effect, rows, history, owners, needs, news, log, head, holder, audits',
  'revision, ttl, answer, owner, expiry, event, drop, need, since, secret, digest, text',
)}${auditing}
local known = redis.call('GET', effect)
if known then return known end
if (redis.call('HGET', rows, '~revision') or '0') ~= revision then return false end
redis.call('HINCRBY', rows, '~revision', 1)
for i = 13, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', rows, ARGV[i])
  else redis.call('HSET', rows, ARGV[i], ARGV[i + 1]) end
end
if tonumber(drop) > 0 then redis.call('LTRIM', history, drop, -1) end
if event ~= '' then redis.call('RPUSH', history, event) end
redis.call('ZADD', owners, expiry, owner)
if need ~= '' then
  if since == '' then redis.call('ZREM', needs, need)
  else redis.call('ZADD', needs, since, need) end
  redis.pcall('PUBLISH', news, '')
end
if text ~= '' then audit({log, head, holder, audits}, secret, {digest, text}) end
redis.call('SET', effect, answer, 'PX', ttl)
return answer
`
