import { idOf } from './delivery-id.ts'

/**
 * KEYS row, due, then one per command that reads · ARGV now, until, owner, nonce, id, then of each
 * command its name, the number of its other arguments, and these. Answers the fence and what the
 * commands answer, or nothing while the lease is held. With the same nonce, a retried claim gets the
 * same fence.
 *
 * Taking over a dead worker's lease is an attempt (F26), but only once per lease time. A machine
 * that is restarted three times in a row does not show that the run is to blame.
 */
export const claim = `
local function claim()
  local row = KEYS[1]
  local held = redis.call('HMGET', row, '~until', '~owner', '~claim', '~fence')
  if held[3] == ARGV[4] then return held[4] end
  if redis.call('EXISTS', row) == 0 then
    redis.call('ZREM', KEYS[2], ARGV[5])
    return nil
  end
  local untilTime = tonumber(held[1] or '0')
  if untilTime > tonumber(ARGV[1]) then return nil end
  if untilTime > 0 and (held[2] or '') ~= '' and redis.call('HEXISTS', row, 'attempts') == 1 then
    local counted = tonumber(redis.call('HGET', row, '~counted') or '0')
    if tonumber(ARGV[1]) - counted >= tonumber(ARGV[2]) - tonumber(ARGV[1]) then
      redis.call('HINCRBY', row, 'attempts', 1)
      redis.call('HSET', row, '~counted', ARGV[1])
    end
  end
  redis.call('HSET', row, '~until', ARGV[2], '~owner', ARGV[3], '~claim', ARGV[4])
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[5])
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
 * KEYS row, due · ARGV fence, until, owner, id. Renews a lease; parks it if the owner is empty. A
 * released lease is not renewed: a renewal in flight would otherwise keep everybody out for a whole
 * lease.
 */
export const hold = `
local held = redis.call('HMGET', KEYS[1], '~fence', '~owner')
if held[1] ~= ARGV[1] then return 0 end
if held[2] == '' then return ARGV[3] == '' and 1 or 0 end
redis.call('HSET', KEYS[1], '~until', ARGV[2], '~owner', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[4])
return 1
`

/**
 * KEYS row, due, mailboxes… · ARGV fence, id, wakeAt or '', seen, then of an outbox the run and the
 * revision that were shown or '', sent deliveries….
 *
 * "Empty → release" is this one script (P5, I5). With a time to wake at, only the first mailbox has
 * to be empty, except for the `seen` entries. A row that has a reminder stays due for it.
 */
export const release = `${idOf}
if redis.call('HGET', KEYS[1], '~fence') ~= ARGV[1] then return 'fenced' end
for i = 7, #ARGV do
  local first = redis.call('LINDEX', KEYS[3], 0)
  if first and idOf(first) == ARGV[i] then redis.call('LPOP', KEYS[3]) end
end
if (ARGV[5] or '') ~= '' and redis.call('HGET', KEYS[4], ARGV[5]) == ARGV[6] then redis.call('HDEL', KEYS[4], ARGV[5]) end
for i = 3, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 and (i == 3 or ARGV[3] == '') then
    if i > 3 or ARGV[4] == '0' or redis.call('LLEN', KEYS[i]) > tonumber(ARGV[4]) then return 'more' end
  end
end
redis.call('HSET', KEYS[1], '~until', '0', '~owner', '')
local wakeAt = tonumber(ARGV[3]) or tonumber(redis.call('HGET', KEYS[1], 'remindAt') or '')
if wakeAt then redis.call('ZADD', KEYS[2], wakeAt, ARGV[2])
else redis.call('ZREM', KEYS[2], ARGV[2]) end
return 'released'
`

/**
 * KEYS row, due · ARGV worker, this process, now, id. Ends the lease of a dead process of this
 * worker's name now (P14), never one of this process.
 */
export const expire = `
local owner = redis.call('HGET', KEYS[1], '~owner')
if not owner or owner == ARGV[2] or string.sub(owner, 1, #ARGV[1]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], '~until', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
return 1
`
