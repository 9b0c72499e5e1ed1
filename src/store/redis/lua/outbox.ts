import { idOf } from './delivery-id.ts'
import { takes } from './takes.ts'

/**
 * True if the lease still holds and the delivery is the first in line. Stands behind the names of
 * `out`, `outbox`, `fence` and `delivery`.
 */
const isFirst = `${idOf}
local function isFirst()
  if redis.call('HGET', out, '~fence') ~= fence then return false end
  local first = redis.call('LINDEX', outbox, 0)
  return first and idOf(first) == delivery
end
`

/**
 * Marks the first delivery as being tried; not any more with a blank `tried`. Answers 1; 0 if it is
 * not the first or the fence has moved on.
 */
export const trying = `${takes('out, outbox', 'fence, delivery, tried')}${isFirst}
if not isFirst() then return 0 end
redis.call('HSET', out, 'trying', tried)
return 1
`

/**
 * Removes a sent delivery from the outbox. The keys and arguments from the third on are there if it
 * opened its conversation's thread; `other` is the conversation that a quick reply would have made
 * meanwhile. Answers 1; 0 if it is not the first or the fence has moved on.
 *
 * A thread belongs to one conversation for good (R141). A reply before the thread was bound made a
 * conversation of its own. If that has no outcome yet, its messages move over to this one, and the
 * worker that has it is fenced off. Otherwise it keeps the thread.
 */
export const sent = `${takes(
  'out, outbox, row, inbox, messages, outcomes, threads, conversations, dueConversations, dueOutboxes, other, otherInbox, otherMessages, otherOutcomes, otherOut, otherOutbox, otherRuns, stale',
  'fence, delivery, id, address, thread, otherId',
)}${isFirst}
if not isFirst() then return 0 end
redis.call('LPOP', outbox)
if not id then return 1 end
redis.call('HSET', row, 'address', address)
if redis.call('EXISTS', other) == 1 then
  if redis.call('EXISTS', otherOutbox) == 1 or redis.call('EXISTS', otherRuns) == 1 then return 1 end
  for _, entry in ipairs(redis.call('LRANGE', otherInbox, 0, -1)) do redis.call('RPUSH', inbox, entry) end
  for _, entry in ipairs(redis.call('LRANGE', otherMessages, 0, -1)) do redis.call('RPUSH', messages, entry) end
  local moved = redis.call('HGETALL', otherOutcomes)
  for i = 1, #moved, 2 do redis.call('HSET', outcomes, moved[i], moved[i + 1]) end
  local times = redis.call('HMGET', other, 'updatedAt', 'lastReadAt')
  redis.call('HSET', row, 'lastReadAt', times[2])
  if redis.call('EXISTS', inbox) == 1 then redis.call('ZADD', dueConversations, 'LT', times[1], id) end
  redis.call('DEL', other, otherInbox, otherMessages, otherOutcomes, otherOut, otherOutbox, otherRuns)
  redis.call('SADD', stale, id, otherId)
  redis.call('ZREM', conversations, otherId)
  redis.call('ZREM', dueConversations, otherId)
  redis.call('ZREM', dueOutboxes, otherId)
end
redis.call('HSETNX', threads, thread, id)
return 1
`

/**
 * Takes a turn to show something. `every` ms lie between turns, `again` is the longest time until
 * it polls again, `priority` is `1` or blank, and may take so many `turns` ahead of time.
 *
 * Answers now if the turn is taken; else the time to poll again. A name with priority does not
 * wait: it uses up later turns, up to that many. A waiter that has not polled for twice that time,
 * because its process died, is dropped.
 */
export const reserve = `${takes(
  'waiting, asked',
  'nowText, everyText, name, priority, againText, turns',
)}
local now, every, again = tonumber(nowText), tonumber(everyText), tonumber(againText)
local ahead = tonumber(turns) * every
local known = tonumber(redis.call('ZSCORE', waiting, name) or '')
if priority == '1' and (not known or known > 0) then redis.call('ZADD', waiting, now - 1e15, name)
elseif not known then redis.call('ZADD', waiting, now, name) end
local before = 0
for _, other in ipairs(redis.call('ZRANGE', waiting, 0, redis.call('ZRANK', waiting, name))) do
  if other == name then break end
  if tonumber(redis.call('HGET', asked, other) or '0') >= now then before = before + 1
  else
    redis.call('ZREM', waiting, other)
    redis.call('HDEL', asked, other)
  end
end
local free = tonumber(redis.call('HGET', asked, '~free') or '0')
local at = math.max(now, free) + before * every
if priority == '1' then at = math.max(now, free - ahead) end
if at <= now then
  redis.call('ZREM', waiting, name)
  redis.call('HDEL', asked, name)
  redis.call('HSET', asked, '~free', string.format('%.0f', math.max(now, free) + every))
else
  at = math.min(at, now + again)
  redis.call('HSET', asked, name, string.format('%.0f', at + again))
end
for _, key in ipairs({waiting, asked}) do
  redis.call('PEXPIRE', key, string.format('%.0f', ahead + 4 * (every + again)))
end
return string.format('%.0f', at)
`

/**
 * Puts back a delivery that was given up, once (C230). `entry` is its row among those set aside,
 * `entryBack` the same marked as put back, or blank if it is already; `question` may be blank.
 *
 * Answers 1; 0 if it is back already or its question is closed (C220); -1 if its thread was
 * deleted. It certainly has not arrived, so the channel need not look for it first.
 */
export const sendAgain = `${takes(
  'aside, row, outbox, out, dueOutboxes, questions',
  'entry, entryBack, at, given, delivery, id, now, question',
)}
if redis.call('EXISTS', row) == 0 then return -1 end
if entryBack == '' or not redis.call('ZSCORE', aside, entry) then return 0 end
if question ~= '' and not redis.call('LPOS', questions, question) then return 0 end
redis.call('ZREM', aside, entry)
redis.call('ZADD', aside, at, entryBack)
if redis.call('HGET', out, 'trying') == delivery then redis.call('HDEL', out, 'trying') end
redis.call('RPUSH', outbox, given)
redis.call('ZADD', dueOutboxes, 'LT', now, id)
return 1
`
