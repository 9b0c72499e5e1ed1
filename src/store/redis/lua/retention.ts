import { auditing } from './audit.ts'
import { unindexing } from './words.ts'

const hasEnded = `
local ended = {['"succeeded"'] = true, ['"failed"'] = true, ['"canceled"'] = true}
`

/**
 * Removes an expired conversation, or nothing. It checks and deletes in one step, so that what
 * arrives at the same time is not lost.
 *
 * KEYS conversations, threads, questions, runs, due conversations, due outboxes, due runs, words,
 * needs, pinned, archived, news, log and head of the audit, then of the conversation row, out, inbox,
 * outbox, progress, open questions, runs, words; from the 23rd on whatever else is deleted with it, the
 * rows of its runs first · ARGV id, before, now, thread or '', text of its row in the audit or '',
 * number of runs, runs…, questions…
 */
export const forget = `${hasEnded}${unindexing}${auditing}
local updated = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not updated or tonumber(updated) >= tonumber(ARGV[2]) then return 0 end
for i = 15, 16 do
  if tonumber(redis.call('HGET', KEYS[i], '~until') or '0') > tonumber(ARGV[3]) then return 0 end
end
for i = 17, 20 do
  if redis.call('EXISTS', KEYS[i]) == 1 then return 0 end
end
local runs = tonumber(ARGV[6])
if redis.call('LLEN', KEYS[21]) ~= runs then return 0 end
for i = 1, runs do
  if not ended[redis.call('HGET', KEYS[22 + i], 'status') or '"failed"'] then return 0 end
end
unindex(KEYS[8], KEYS[22], ARGV[1])
for i = 15, #KEYS do redis.call('DEL', KEYS[i]) end
-- Behind the thread, so that its row has no key: nothing but ids is in it.
if ARGV[5] ~= '' then audit({KEYS[13], KEYS[14], KEYS[15], KEYS[15]}, '', {'', ARGV[5]}) end
redis.call('ZREM', KEYS[9], 'f|' .. ARGV[1])
for i = 10, 11 do redis.call('ZREM', KEYS[i], ARGV[1]) end
redis.pcall('PUBLISH', KEYS[12], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
if redis.call('HGET', KEYS[2], ARGV[4]) == ARGV[1] then redis.call('HDEL', KEYS[2], ARGV[4]) end
for i = 7, 6 + runs do
  redis.call('ZREM', KEYS[4], ARGV[i])
  redis.call('ZREM', KEYS[7], ARGV[i])
end
for i = 7 + runs, #ARGV do redis.call('HDEL', KEYS[3], ARGV[i]) end
return 1
`

/**
 * Removes a run that ended without a thread. KEYS runs, due, row, and whatever else belongs to the
 * run · ARGV id, before.
 */
export const forgetRun = `${hasEnded}
local held = redis.call('HMGET', KEYS[3], 'status', 'conversationId', 'endedAt')
if not ended[held[1] or ''] or held[2] ~= 'null' then return 0 end
if (tonumber(held[3] or '') or 0) >= tonumber(ARGV[2]) then return 0 end
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`

/**
 * Removes old overheard messages, and rows that cannot be read. KEYS oldest overheard, overheard of
 * a conversation · ARGV its id, before.
 */
export const forgetOverheard = `
local rows = redis.call('HGETALL', KEYS[2])
local oldest = nil
for i = 1, #rows, 2 do
  local read, row = pcall(cjson.decode, rows[i + 1])
  local at = read and tonumber(row.at) or 0
  if at < tonumber(ARGV[2]) then redis.call('HDEL', KEYS[2], rows[i])
  elseif oldest == nil or at < oldest then oldest = at end
end
if oldest == nil then redis.call('ZREM', KEYS[1], ARGV[1])
else redis.call('ZADD', KEYS[1], string.format('%.0f', oldest), ARGV[1]) end
return 1
`
