import { auditing } from './audit.ts'

/**
 * Writes to-dos and schedules: rows that are numbered per scope and may have an alarm.
 *
 * KEYS rows, effect, alarms, scheduler, changes, due, past alarms, listeners, then of
 * the audit log, head, holder, index · ARGV operation, id, row, TTL of
 * the effect in ms, the row when it was read, the alarm's member without its number, scope, alarm
 * or '', now, 1 if it starts by events,
 * random key, digest of the row, text of its entry in the audit or ''.
 *
 * Answers the row, or the removed row; nothing if another change came between. The alarm is set or
 * cleared in the same step, and the change is listed for the worker that holds the alarms. The same
 * effect after a crash changes nothing and answers the same (rule 5).
 */
export const row = `${auditing}
local known = redis.call('GET', KEYS[2])
if known then return known end
local id, answer = ARGV[2], ''
if ARGV[1] == 'add' then
  id = redis.call('HINCRBY', KEYS[1], '~last', 1)
  answer = string.gsub(ARGV[3], '"id":0', '"id":' .. id, 1)
  redis.call('HSET', KEYS[1], id, answer)
else
  local old = redis.call('HGET', KEYS[1], id) or ''
  if ARGV[1] == 'remove' then
    answer = old
    redis.call('HDEL', KEYS[1], id)
  elseif old ~= ARGV[5] then
    return false
  elseif old ~= '' then
    answer = ARGV[3]
    redis.call('HSET', KEYS[1], id, answer)
  end
end
if answer ~= '' then
  local member = ARGV[6] .. '|' .. id .. '|' .. ARGV[7]
  if ARGV[1] == 'remove' or ARGV[10] == '0' then redis.call('HDEL', KEYS[8], member)
  else redis.call('HSETNX', KEYS[8], member, 0) end
  if ARGV[8] == '' then
    local had = redis.call('ZREM', KEYS[3], member) == 1
    if ARGV[1] == 'remove' then redis.call('ZREM', KEYS[7], member)
    -- A schedule whose repeats are hidden still has its past times (C236).
    elseif had and ARGV[6] == 's' then redis.call('ZADD', KEYS[7], ARGV[9], member) end
  else
    redis.call('ZREM', KEYS[7], member)
    redis.call('ZADD', KEYS[3], ARGV[8], member)
    redis.call('HSETNX', KEYS[4], '~fence', '0')
    redis.call('RPUSH', KEYS[5], '1')
    redis.call('ZADD', KEYS[6], 'LT', ARGV[8], 'all')
  end
end
if answer ~= '' and ARGV[13] ~= '' then
  local text = string.gsub(ARGV[13], '"id":"0"', '"id":"' .. id .. '"', 1)
  audit({unpack(KEYS, 9)}, ARGV[11], {ARGV[12], text})
end
redis.call('SET', KEYS[2], answer, 'PX', ARGV[4])
return answer
`
