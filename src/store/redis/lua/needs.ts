import { takes } from './takes.ts'

/**
 * Adds to the index what waited for a person before there was one, if it still waits: as an `entry`
 * of a `list`, or as a field with this value. Answers 1.
 */
export const need = `${takes('needs, place', 'kind, entry, value, since, name')}
local holds
if kind == 'list' then holds = redis.call('LPOS', place, entry)
else holds = (redis.call('HGET', place, entry) or '') == value end
if holds then redis.call('ZADD', needs, 'NX', since, name) end
return 1
`
