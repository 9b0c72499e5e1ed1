import { idOf } from './delivery-id.ts'

/**
 * True if the lease still holds and the delivery is the first in line. KEYS out, outbox · ARGV
 * fence, delivery id.
 */
const isFirst = `${idOf}
local function isFirst()
  if redis.call('HGET', KEYS[1], '~fence') ~= ARGV[1] then return false end
  local first = redis.call('LINDEX', KEYS[2], 0)
  return first and idOf(first) == ARGV[2]
end
`

/**
 * Marks the first delivery as being tried. KEYS out, outbox · ARGV fence, delivery id, the same id
 * or ''.
 */
export const trying = `${isFirst}
if not isFirst() then return 0 end
redis.call('HSET', KEYS[1], 'trying', ARGV[3])
return 1
`

/**
 * Removes a sent delivery from the outbox. KEYS out, outbox · ARGV fence, delivery id.
 *
 * If it opened its conversation's thread also: KEYS row, inbox, messages, outcomes, threads,
 * conversations, due conversations, due outboxes, then of the conversation that a quick reply would
 * have made meanwhile (row, inbox, messages, outcomes, out, outbox, runs), stale words · ARGV
 * conversation id, address, thread, the other's id.
 *
 * A thread belongs to one conversation for good (R141). A reply before the thread was bound made a
 * conversation of its own. If that has no outcome yet, its messages move over to this one, and the
 * worker that has it is fenced off. Otherwise it keeps the thread.
 */
export const sent = `${isFirst}
if not isFirst() then return 0 end
redis.call('LPOP', KEYS[2])
if not ARGV[3] then return 1 end
local row, other = KEYS[3], KEYS[11]
redis.call('HSET', row, 'address', ARGV[4])
if redis.call('EXISTS', other) == 1 then
  if redis.call('EXISTS', KEYS[16]) == 1 or redis.call('EXISTS', KEYS[17]) == 1 then return 1 end
  for list = 4, 5 do
    for _, entry in ipairs(redis.call('LRANGE', KEYS[list + 8], 0, -1)) do redis.call('RPUSH', KEYS[list], entry) end
  end
  local outcomes = redis.call('HGETALL', KEYS[14])
  for i = 1, #outcomes, 2 do redis.call('HSET', KEYS[6], outcomes[i], outcomes[i + 1]) end
  local times = redis.call('HMGET', other, 'updatedAt', 'lastReadAt')
  redis.call('HSET', row, 'lastReadAt', times[2])
  if redis.call('EXISTS', KEYS[4]) == 1 then redis.call('ZADD', KEYS[9], 'LT', times[1], ARGV[3]) end
  for i = 11, 17 do redis.call('DEL', KEYS[i]) end
  redis.call('SADD', KEYS[18], ARGV[3], ARGV[6])
  redis.call('ZREM', KEYS[8], ARGV[6])
  redis.call('ZREM', KEYS[9], ARGV[6])
  redis.call('ZREM', KEYS[10], ARGV[6])
end
redis.call('HSETNX', KEYS[7], ARGV[5], ARGV[3])
return 1
`

/**
 * Takes a turn to show something. KEYS waiting, asked · ARGV now, ms between turns, name, '1' for
 * priority, longest ms until it polls again, turns that priority may take ahead of time.
 *
 * Answers now if the turn is taken; else the time to poll again. A name with priority does not
 * wait: it uses up later turns, up to that many. A waiter that has not polled for twice that time,
 * because its process died, is dropped.
 */
export const reserve = `
local now, every, name, again = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[5])
local ahead = tonumber(ARGV[6]) * every
local known = tonumber(redis.call('ZSCORE', KEYS[1], name) or '')
if ARGV[4] == '1' and (not known or known > 0) then redis.call('ZADD', KEYS[1], now - 1e15, name)
elseif not known then redis.call('ZADD', KEYS[1], now, name) end
local before = 0
for _, other in ipairs(redis.call('ZRANGE', KEYS[1], 0, redis.call('ZRANK', KEYS[1], name))) do
  if other == name then break end
  if tonumber(redis.call('HGET', KEYS[2], other) or '0') >= now then before = before + 1
  else
    redis.call('ZREM', KEYS[1], other)
    redis.call('HDEL', KEYS[2], other)
  end
end
local free = tonumber(redis.call('HGET', KEYS[2], '~free') or '0')
local at = math.max(now, free) + before * every
if ARGV[4] == '1' then at = math.max(now, free - ahead) end
if at <= now then
  redis.call('ZREM', KEYS[1], name)
  redis.call('HDEL', KEYS[2], name)
  redis.call('HSET', KEYS[2], '~free', string.format('%.0f', math.max(now, free) + every))
else
  at = math.min(at, now + again)
  redis.call('HSET', KEYS[2], name, string.format('%.0f', at + again))
end
for i = 1, 2 do redis.call('PEXPIRE', KEYS[i], string.format('%.0f', ahead + 4 * (every + again))) end
return string.format('%.0f', at)
`

/**
 * Puts back a delivery that was given up, once (C230). KEYS set aside, row of the conversation,
 * outbox, out, due outboxes, open questions · ARGV entry, the entry marked as put back or '' if it
 * is already, its time, delivery, its id, conversation id, now, the question that it asks or ''.
 *
 * Answers 1; 0 if it is back already or its question is closed (C220); -1 if its thread was
 * deleted. It certainly has not arrived, so the channel need not look for it first.
 */
export const sendAgain = `
if redis.call('EXISTS', KEYS[2]) == 0 then return -1 end
if ARGV[2] == '' or not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if ARGV[8] ~= '' and not redis.call('LPOS', KEYS[6], ARGV[8]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
if redis.call('HGET', KEYS[4], 'trying') == ARGV[5] then redis.call('HDEL', KEYS[4], 'trying') end
redis.call('RPUSH', KEYS[3], ARGV[4])
redis.call('ZADD', KEYS[5], 'LT', ARGV[7], ARGV[6])
return 1
`
