import { takes } from './takes.ts'

/**
 * Takes a message from those left: at most so many a minute. Answers 1 if it is within the limit, 0
 * if it is one too many.
 */
export const take = `${takes('left, message', 'mostText, atText')}
if redis.call('EXISTS', message) == 1 then return 1 end
local most, at = tonumber(mostText), tonumber(atText)
local known = redis.call('HMGET', left, 'left', 'at')
local before = tonumber(known[2] or atText)
local rest = math.min(most, tonumber(known[1] or mostText) + math.max(0, at - before) * most / 60000)
local isTaken = rest >= 1
if isTaken then rest = rest - 1 end
redis.call('HSET', left, 'left', string.format('%.6f', rest), 'at', string.format('%.0f', math.max(at, before)))
redis.call('PEXPIRE', left, 60000)
if not isTaken then return 0 end
redis.call('SET', message, '1', 'PX', 600000)
return 1
`
