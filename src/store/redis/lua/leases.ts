import { idOf } from './delivery-id.ts'
import { takes } from './takes.ts'

/**
 * Claims an item until a time. Behind the named keys is one per command that reads; behind the
 * arguments of each its name, the number of its other arguments, and these.
 *
 * Answers the fence and what the commands answer, or nothing while the lease is held. With the same
 * nonce, a retried claim gets the same fence.
 *
 * Taking over a dead worker's lease is an attempt (F26), but only once per lease time. A machine
 * that is restarted three times in a row does not show that the run is to blame.
 */
export const claim = `${takes('row, due', 'now, untilNew, owner, nonce, id')}
local function claim()
  local held = redis.call('HMGET', row, '~until', '~owner', '~claim', '~fence')
  if held[3] == nonce then return held[4] end
  if redis.call('EXISTS', row) == 0 then
    redis.call('ZREM', due, id)
    return nil
  end
  local untilTime = tonumber(held[1] or '0')
  if untilTime > tonumber(now) then return nil end
  if untilTime > 0 and (held[2] or '') ~= '' and redis.call('HEXISTS', row, 'attempts') == 1 then
    local counted = tonumber(redis.call('HGET', row, '~counted') or '0')
    if tonumber(now) - counted >= tonumber(untilNew) - tonumber(now) then
      redis.call('HINCRBY', row, 'attempts', 1)
      redis.call('HSET', row, '~counted', now)
    end
  end
  redis.call('HSET', row, '~until', untilNew, '~owner', owner, '~claim', nonce)
  redis.call('ZADD', due, untilNew, id)
  return tostring(redis.call('HINCRBY', row, '~fence', 1))
end
local fence = claim()
if not fence then return false end
local answers, at = {fence}, 6
for i = 3, #KEYS do
  local count = tonumber(ARGV[at + 1])
  answers[#answers + 1] = redis.pcall(ARGV[at], KEYS[i], unpack(ARGV, at + 2, at + 1 + count))
  at = at + 2 + count
end
return answers
`

/**
 * Renews a lease; parks it if the owner is empty. Answers 1; 0 if the fence has moved on or the
 * lease was released: a renewal in flight would otherwise keep everybody out for a whole lease.
 */
export const hold = `${takes('row, due', 'fence, untilTime, owner, id')}
local held = redis.call('HMGET', row, '~fence', '~owner')
if held[1] ~= fence then return 0 end
if held[2] == '' then return owner == '' and 1 or 0 end
redis.call('HSET', row, '~until', untilTime, '~owner', owner)
redis.call('ZADD', due, untilTime, id)
return 1
`

/**
 * Gives an item up if its mailboxes are empty, and takes off what was shown. Behind `mailbox` are
 * its other mailboxes; an outbox has one and its `progress`. Behind the arguments are sent
 * deliveries.
 *
 * "Empty → release" is this one script (P5, I5). With a time to wake at (blank: none), only the
 * first mailbox has to be empty, except for the `seen` entries. A row that has a reminder stays due
 * for it. Answers `released`, `more` or `fenced`.
 */
export const release = `${takes(
  'row, due, mailbox, progress',
  'fence, id, wakeTime, seen, run, revision',
)}${idOf}
if redis.call('HGET', row, '~fence') ~= fence then return 'fenced' end
for i = 7, #ARGV do
  local first = redis.call('LINDEX', mailbox, 0)
  if first and idOf(first) == ARGV[i] then redis.call('LPOP', mailbox) end
end
if (run or '') ~= '' and redis.call('HGET', progress, run) == revision then redis.call('HDEL', progress, run) end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 and (i == 3 or wakeTime == '') then
    if i > 3 or seen == '0' or redis.call('LLEN', KEYS[i]) > tonumber(seen) then return 'more' end
  end
end
redis.call('HSET', row, '~until', '0', '~owner', '')
local wakeAt = tonumber(wakeTime) or tonumber(redis.call('HGET', row, 'remindAt') or '')
if wakeAt then redis.call('ZADD', due, wakeAt, id)
else redis.call('ZREM', due, id) end
return 'released'
`

/**
 * Ends the lease of a dead process of this worker's name now (P14), never one of this process.
 * Answers 1 if it did.
 */
export const expire = `${takes('row, due', 'worker, process, now, id')}
local owner = redis.call('HGET', row, '~owner')
if not owner or owner == process or string.sub(owner, 1, #worker) ~= worker then return 0 end
redis.call('HSET', row, '~until', now)
redis.call('ZADD', due, now, id)
return 1
`
