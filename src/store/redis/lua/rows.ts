/** KEYS row, out, conversations · ARGV id, updated at, fields…. Opening it again changes nothing. */
export const open = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('HSET', KEYS[2], '~fence', '0')
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
`

/** KEYS row, needs, news · ARGV at, what of it is seen now, id. Reading an older state than what was read already changes nothing. */
export const read = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local known = tonumber(redis.call('HGET', KEYS[1], 'lastReadAt') or '') or 0
if known < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'lastReadAt', ARGV[1]) end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.pcall('PUBLISH', KEYS[3], ARGV[3])
return 1
`
