import { auditing } from './audit.ts'
import { takes } from './takes.ts'
import { unindexing } from './words.ts'

const hasEnded = `
local ended = {['"succeeded"'] = true, ['"failed"'] = true, ['"canceled"'] = true}
`

/**
 * Removes an expired conversation, or nothing. It checks and deletes in one step, so that what
 * arrives at the same time is not lost.
 *
 * Behind the named keys is whatever else is deleted with it, the rows of its runs first; behind the
 * arguments are its runs and then its questions. `thread` and `text`, its row in the audit, may be
 * blank. Answers 1 if it was removed.
 */
export const forget = `${takes(
  'conversations, threads, questions, allRuns, dueConversations, dueOutboxes, dueRuns, allWords, needs, pinned, archived, news, log, head, row, out, inbox, outbox, progress, open, runs, words',
  'id, before, now, thread, text, runCount',
)}${hasEnded}${unindexing}${auditing}
local ofRuns = 23
local updated = redis.call('ZSCORE', conversations, id)
if not updated or tonumber(updated) >= tonumber(before) then return 0 end
for _, leased in ipairs({row, out}) do
  if tonumber(redis.call('HGET', leased, '~until') or '0') > tonumber(now) then return 0 end
end
if redis.call('EXISTS', inbox, outbox, progress, open) > 0 then return 0 end
local count = tonumber(runCount)
if redis.call('LLEN', runs) ~= count then return 0 end
for i = ofRuns, ofRuns + count - 1 do
  if not ended[redis.call('HGET', KEYS[i], 'status') or '"failed"'] then return 0 end
end
unindex(allWords, words, id)
redis.call('DEL', row, out, inbox, outbox, progress, open, runs, words)
for i = ofRuns, #KEYS do redis.call('DEL', KEYS[i]) end
-- Behind the thread, so that its row has no key: nothing but ids is in it.
if text ~= '' then audit({log, head, row, row}, '', {'', text}) end
redis.call('ZREM', needs, 'f|' .. id)
redis.call('ZREM', pinned, id)
redis.call('ZREM', archived, id)
redis.pcall('PUBLISH', news, id)
redis.call('ZREM', conversations, id)
redis.call('ZREM', dueConversations, id)
redis.call('ZREM', dueOutboxes, id)
if redis.call('HGET', threads, thread) == id then redis.call('HDEL', threads, thread) end
for i = 7, 6 + count do
  redis.call('ZREM', allRuns, ARGV[i])
  redis.call('ZREM', dueRuns, ARGV[i])
end
for i = 7 + count, #ARGV do redis.call('HDEL', questions, ARGV[i]) end
return 1
`

/**
 * Removes a run that ended without a thread, with the keys behind its row. Answers 1 if it did.
 */
export const forgetRun = `${takes('runs, due, row', 'id, before')}${hasEnded}
local held = redis.call('HMGET', row, 'status', 'conversationId', 'endedAt')
if not ended[held[1] or ''] or held[2] ~= 'null' then return 0 end
if (tonumber(held[3] or '') or 0) >= tonumber(before) then return 0 end
for i = 3, #KEYS do redis.call('DEL', KEYS[i]) end
redis.call('ZREM', runs, id)
redis.call('ZREM', due, id)
return 1
`

/**
 * Removes old overheard messages, and rows that cannot be read. Answers 1.
 */
export const forgetOverheard = `${takes('oldestOf, overheard', 'id, before')}
local rows = redis.call('HGETALL', overheard)
local oldest = nil
for i = 1, #rows, 2 do
  local read, row = pcall(cjson.decode, rows[i + 1])
  local at = read and tonumber(row.at) or 0
  if at < tonumber(before) then redis.call('HDEL', overheard, rows[i])
  elseif oldest == nil or at < oldest then oldest = at end
end
if oldest == nil then redis.call('ZREM', oldestOf, id)
else redis.call('ZADD', oldestOf, string.format('%.0f', oldest), id) end
return 1
`
