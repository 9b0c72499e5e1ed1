import { auditing } from './audit.ts'
import { takes } from './takes.ts'

/**
 * Writes to-dos and schedules: rows that are numbered per scope and may have an alarm. `given` is
 * the row's id, blank for a new one; `seen` the row when it was read; `alarm` a time or blank;
 * `audited` the text of its entry in the audit or blank; `ttl` that of the effect, in ms.
 *
 * Answers the row, or the removed row; nothing if another change came between. The alarm is set or
 * cleared in the same step, and the change is listed for the worker that holds the alarms. The same
 * effect after a crash changes nothing and answers the same (rule 5).
 */
export const row = `${takes(
  'rows, effect, alarms, scheduler, changes, due, pastAlarms, listeners, log, head, holder, audits',
  'operation, given, new, ttl, seen, alarmKind, scope, alarm, now, isByEvents, secret, digest, audited',
)}${auditing}
local known = redis.call('GET', effect)
if known then return known end
local id, answer = given, ''
if operation == 'add' then
  id = redis.call('HINCRBY', rows, '~last', 1)
  answer = string.gsub(new, '"id":0', '"id":' .. id, 1)
  redis.call('HSET', rows, id, answer)
else
  local old = redis.call('HGET', rows, id) or ''
  if operation == 'remove' then
    answer = old
    redis.call('HDEL', rows, id)
  elseif old ~= seen then
    return false
  elseif old ~= '' then
    answer = new
    redis.call('HSET', rows, id, answer)
  end
end
if answer ~= '' then
  local member = alarmKind .. '|' .. id .. '|' .. scope
  if operation == 'remove' or isByEvents == '0' then redis.call('HDEL', listeners, member)
  else redis.call('HSETNX', listeners, member, 0) end
  if alarm == '' then
    local had = redis.call('ZREM', alarms, member) == 1
    if operation == 'remove' then redis.call('ZREM', pastAlarms, member)
    -- A schedule whose repeats are hidden still has its past times (C236).
    elseif had and alarmKind == 's' then redis.call('ZADD', pastAlarms, now, member) end
  else
    redis.call('ZREM', pastAlarms, member)
    redis.call('ZADD', alarms, alarm, member)
    redis.call('HSETNX', scheduler, '~fence', '0')
    redis.call('RPUSH', changes, '1')
    redis.call('ZADD', due, 'LT', alarm, 'all')
  end
end
if answer ~= '' and audited ~= '' then
  local text = string.gsub(audited, '"id":"0"', '"id":"' .. id .. '"', 1)
  audit({log, head, holder, audits}, secret, {digest, text})
end
redis.call('SET', effect, answer, 'PX', ttl)
return answer
`
