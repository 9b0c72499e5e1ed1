import { indexing } from './words.ts'

/**
 * Opens a conversation; a no-op if it is open already. KEYS row, out, conversations, words, own
 * words · ARGV id, updated at, words, fields….
 */
export const open = `${indexing}
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 4))
redis.call('HSET', KEYS[2], '~fence', '0')
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
index(KEYS[4], KEYS[5], ARGV[1], ARGV[3])
return 1
`

/**
 * Renames, pins or archives a conversation. KEYS row, pinned, archived, news, words, own words,
 * stale words · ARGV id, at, title or '', words of the title, then '1', '0' or '' for pinned and
 * for archived.
 */
export const arrange = `${indexing}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'title', ARGV[3])
  index(KEYS[5], KEYS[6], ARGV[1], ARGV[4])
  redis.call('SADD', KEYS[7], ARGV[1])
end
for i, field in ipairs({'pinnedAt', 'archivedAt'}) do
  local wanted = ARGV[4 + i]
  if wanted == '1' then
    redis.call('HSET', KEYS[1], field, ARGV[2])
    redis.call('ZADD', KEYS[1 + i], ARGV[2], ARGV[1])
  elseif wanted == '0' then
    redis.call('HDEL', KEYS[1], field)
    redis.call('ZREM', KEYS[1 + i], ARGV[1])
  end
end
redis.pcall('PUBLISH', KEYS[4], ARGV[1])
return 1
`

/**
 * Marks a conversation as read. KEYS row, needs, news · ARGV at, what of it is seen now, empty for nothing, id. A
 * no-op if a later state was read already.
 */
export const read = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local known = tonumber(redis.call('HGET', KEYS[1], 'lastReadAt') or '') or 0
if known < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], 'lastReadAt', ARGV[1]) end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.pcall('PUBLISH', KEYS[3], ARGV[3])
return 1
`
