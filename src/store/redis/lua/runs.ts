import { takes } from './takes.ts'

/**
 * Stores a run that no turn made, once, with the fields behind its group's size. `gatherer` is the
 * run that gathers the group's results, `told` its mailbox, and `message` blank where there is
 * none.
 *
 * Answers 1; 0 if it exists already, -1 if the gatherer has ended, -2 if its group is full.
 */
export const admit = `${takes(
  'row, runs, due, trace, ofConversation, gatherer, told',
  'id, createdAt, entry, isInConversation, message, size',
)}
if redis.call('EXISTS', row) == 1 then return 0 end
if message ~= '' then
  local status = redis.call('HGET', gatherer, 'status')
  if status ~= '"queued"' and status ~= '"running"' then return -1 end
  local known, count = {}, 0
  for _, one in ipairs(redis.call('LRANGE', told, 0, -1)) do
    if not known[one] then known[one], count = true, count + 1 end
  end
  if count >= tonumber(size) then return -2 end
  redis.call('RPUSH', told, message)
end
redis.call('HSET', row, unpack(ARGV, 7))
redis.call('ZADD', runs, createdAt, id)
redis.call('ZADD', due, createdAt, id)
redis.call('RPUSH', trace, entry)
if isInConversation == '1' then redis.call('RPUSH', ofConversation, id) end
return 1
`
