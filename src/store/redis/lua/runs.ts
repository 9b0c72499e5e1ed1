/**
 * Stores a run that no turn made, once. KEYS run's row, runs, due, trace, runs of its conversation,
 * row and mailbox of the run that gathers its group's results · ARGV id, created at, first entry of
 * its trace, '1' in a conversation, message to its gatherer or '', size of the group, fields….
 *
 * Answers 1; 0 if it exists already, -1 if the gatherer has ended, -2 if its group is full.
 */
export const admit = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if ARGV[5] ~= '' then
  local status = redis.call('HGET', KEYS[6], 'status')
  if status ~= '"queued"' and status ~= '"running"' then return -1 end
  local known, count = {}, 0
  for _, told in ipairs(redis.call('LRANGE', KEYS[7], 0, -1)) do
    if not known[told] then known[told], count = true, count + 1 end
  end
  if count >= tonumber(ARGV[6]) then return -2 end
  redis.call('RPUSH', KEYS[7], ARGV[5])
end
redis.call('HSET', KEYS[1], unpack(ARGV, 7))
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
redis.call('RPUSH', KEYS[4], ARGV[3])
if ARGV[4] == '1' then redis.call('RPUSH', KEYS[5], ARGV[1]) end
return 1
`
