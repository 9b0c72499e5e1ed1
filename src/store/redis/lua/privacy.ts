/**
 * KEYS row · ARGV its kind, then for each part the field or member, its value when it was read, and
 * its new value; '' deletes it. A part that was changed meanwhile is skipped. In a row that counts
 * revisions, this counts as one.
 */
export const amend = `
local kind, changed = ARGV[1], 0
if kind == 'all' then return redis.call('DEL', KEYS[1]) end
for i = 2, #ARGV, 3 do
  local name, was, now = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if kind == 'zset' then redis.call('ZREM', KEYS[1], name)
  elseif kind == 'list' then
    local at = now ~= '' and redis.call('LPOS', KEYS[1], was)
    while at do
      redis.call('LSET', KEYS[1], at, now)
      at = redis.call('LPOS', KEYS[1], was)
    end
    redis.call('LREM', KEYS[1], 0, was)
  elseif redis.call('HGET', KEYS[1], name) == was then
    if now == '' then redis.call('HDEL', KEYS[1], name) else redis.call('HSET', KEYS[1], name, now) end
    changed = changed + 1
  end
end
if kind == 'hash' and changed > 0 and redis.call('HEXISTS', KEYS[1], '~revision') == 1 then
  redis.call('HINCRBY', KEYS[1], '~revision', 1)
end
return changed
`

/**
 * KEYS runs, due, runs of its thread, row, and whatever else belongs to the run · ARGV id. A run
 * that goes on stays.
 */
export const eraseRun = `
local status = redis.call('HGET', KEYS[4], 'status')
if status and status ~= '"succeeded"' and status ~= '"failed"' and status ~= '"canceled"' then return 0 end
for i = 4, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('LREM', KEYS[3], 0, ARGV[1])
return 1
`
