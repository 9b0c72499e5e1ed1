/**
 * KEYS messages left (hash), this message · ARGV messages per minute, time of this one. Answers 1
 * if it is within the limit, 0 if it is one too many.
 */
export const take = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
local most, at = tonumber(ARGV[1]), tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'left', 'at')
local before = tonumber(known[2] or ARGV[2])
local left = math.min(most, tonumber(known[1] or ARGV[1]) + math.max(0, at - before) * most / 60000)
local isTaken = left >= 1
if isTaken then left = left - 1 end
redis.call('HSET', KEYS[1], 'left', string.format('%.6f', left), 'at', string.format('%.0f', math.max(at, before)))
redis.call('PEXPIRE', KEYS[1], 60000)
if not isTaken then return 0 end
redis.call('SET', KEYS[2], '1', 'PX', 600000)
return 1
`
