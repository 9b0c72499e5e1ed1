/**
 * KEYS needs, where it stands · ARGV `list` or `field`, entry or field, value, since when, name.
 * Adds to the index what waited for a person before there was one, if it still waits.
 */
export const need = `
local holds
if ARGV[1] == 'list' then holds = redis.call('LPOS', KEYS[2], ARGV[2])
else holds = (redis.call('HGET', KEYS[2], ARGV[2]) or '') == ARGV[3] end
if holds then redis.call('ZADD', KEYS[1], 'NX', ARGV[4], ARGV[5]) end
return 1
`
