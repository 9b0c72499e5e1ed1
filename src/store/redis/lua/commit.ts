import { auditing } from './audit.ts'
import { takes } from './takes.ts'
import { indexing } from './words.ts'

/**
 * The one commit (rule 3). Behind the named keys is whatever it touches; behind the arguments are
 * `guards` guards of (kind, key, a, b), then writes of (command, key, number of arguments,
 * arguments…). Keys are given by their position.
 *
 * Five commands are not Redis' own.
 * COUNT raises the counters of two periods (other key, seconds to keep, prompt, completion, cost,
 * whose…).
 * INDEX adds words to the index (own words, conversation, words).
 * AUDIT adds rows to the audit (its head, holder, index, random key, then digest, text…).
 * TALLY raises fields of a day (seconds to keep, then field and by how much…).
 * SHOW marks progress and makes its outbox due, unless a page serves the workspace and nobody looks
 * (watchers, due outboxes, run, mark, conversation, at); then the answer is `unseen`.
 *
 * Answers `committed`, `conflict`, `fenced` or `unseen`, the number of entries in the mailbox, and
 * the new counters, so that no second read is needed for a day's usage.
 *
 * The fence is checked first: a former owner must not take its successor's commit of the same name
 * for its own.
 */
export const commit = `${takes('row, mailbox', 'fence, id, guards')}${indexing}${auditing}
local function waiting() return redis.call('LLEN', mailbox) end
local held = redis.call('HMGET', row, '~commit', '~fence')
if held[2] ~= fence then return {'fenced', 0} end
if held[1] == id then return {'committed', waiting()} end
local at = 4
for _ = 1, tonumber(guards) do
  local kind, key, a, b = ARGV[at], KEYS[tonumber(ARGV[at + 1])], ARGV[at + 2], ARGV[at + 3]
  at = at + 4
  local holds
  if kind == 'field' then holds = redis.call('HGET', key, a) == b
  elseif kind == 'absent' then holds = redis.call('HEXISTS', key, a) == 0
  elseif kind == 'first' then holds = redis.call('LINDEX', key, 0) == a
  else holds = redis.call('LLEN', key) == tonumber(a) end
  if not holds then return {'conflict', 0} end
end
local answer = {'committed', 0}
local function show(progress, from)
  local watchers = KEYS[tonumber(ARGV[from])]
  local now = redis.call('TIME')[1]
  if redis.call('EXISTS', watchers) == 1 and redis.call('ZCOUNT', watchers, now, '+inf') == 0 then
    answer[1] = 'unseen'
  else
    redis.call('HSET', progress, ARGV[from + 2], ARGV[from + 3])
    redis.call('ZADD', KEYS[tonumber(ARGV[from + 1])], 'LT', ARGV[from + 5], ARGV[from + 4])
  end
end
local function count(key, from, to)
  for who = from + 5, to do
    for kind, name in ipairs({'.prompt', '.completion', '.cost'}) do
      answer[#answer + 1] = redis.call('HINCRBY', key, ARGV[who] .. name, ARGV[from + 1 + kind])
    end
  end
  redis.call('EXPIRE', key, ARGV[from + 1])
end
while at <= #ARGV do
  local key, from, to = KEYS[tonumber(ARGV[at + 1])], at + 3, at + 2 + tonumber(ARGV[at + 2])
  if ARGV[at] == 'COUNT' then
    count(key, from, to)
    count(KEYS[tonumber(ARGV[from])], from, to)
  elseif ARGV[at] == 'TALLY' then
    for i = from + 1, to, 2 do redis.call('HINCRBY', key, ARGV[i], ARGV[i + 1]) end
    redis.call('EXPIRE', key, ARGV[from])
  elseif ARGV[at] == 'SHOW' then show(key, from)
  elseif ARGV[at] == 'INDEX' then index(key, KEYS[tonumber(ARGV[from])], ARGV[from + 1], ARGV[from + 2])
  elseif ARGV[at] == 'AUDIT' then
    local places = {key}
    for i = 0, 2 do places[i + 2] = KEYS[tonumber(ARGV[from + i])] end
    audit(places, ARGV[from + 3], {unpack(ARGV, from + 4, to)})
  -- News that nobody may publish stop no commit.
  elseif ARGV[at] == 'PUBLISH' then redis.pcall('PUBLISH', key, unpack(ARGV, from, to))
  else redis.call(ARGV[at], key, unpack(ARGV, from, to)) end
  at = to + 1
end
redis.call('HSET', row, '~commit', id)
answer[2] = waiting()
return answer
`
