import { takes } from './takes.ts'

/**
 * Changes parts of a row. Behind `kind` stand, for each part, the field or member, its value when
 * it was read, and its new value; a blank one deletes it. A part that was changed meanwhile is
 * skipped. In a row that counts revisions, this counts as one. Answers how many fields it changed.
 */
export const amend = `${takes('row', 'kind')}
local changed = 0
if kind == 'all' then return redis.call('DEL', row) end
for i = 2, #ARGV, 3 do
  local name, was, now = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if kind == 'zset' then redis.call('ZREM', row, name)
  elseif kind == 'list' then
    local at = now ~= '' and redis.call('LPOS', row, was)
    while at do
      redis.call('LSET', row, at, now)
      at = redis.call('LPOS', row, was)
    end
    redis.call('LREM', row, 0, was)
  elseif redis.call('HGET', row, name) == was then
    if now == '' then redis.call('HDEL', row, name) else redis.call('HSET', row, name, now) end
    changed = changed + 1
  end
end
if kind == 'hash' and changed > 0 and redis.call('HEXISTS', row, '~revision') == 1 then
  redis.call('HINCRBY', row, '~revision', 1)
end
return changed
`

/**
 * Removes a run with whatever else belongs to it: the keys behind `row`. Answers 1; 0 if it goes
 * on, and stays.
 */
export const eraseRun = `${takes('runs, due, ofThread, row', 'id')}
local status = redis.call('HGET', row, 'status')
if status and status ~= '"succeeded"' and status ~= '"failed"' and status ~= '"canceled"' then return 0 end
for i = 4, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('ZREM', runs, id)
redis.call('ZREM', due, id)
redis.call('LREM', ofThread, 0, id)
return 1
`
