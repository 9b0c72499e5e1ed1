/**
 * Adds a row to the chain of a workspace (C710). Its number, the hash of the row before and its own
 * hash are made here, so that no two commits can take the same place and none has to wait.
 *
 * Contents are kept as a hash under a key of the thread or run that they belong to (`holder`), which
 * is made with its first row and deleted with it (C712). Without a holder nobody knows the key.
 */
export const auditing = `
local function audit(keys, fresh, digest, text)
  local log, head, holder, index = keys[1], keys[2], keys[3], keys[4]
  local last = redis.call('HMGET', head, 'seq', 'hash')
  local seq = string.format('%.0f', (tonumber(last[1] or '0') or 0) + 1)
  local isHeld = redis.call('EXISTS', holder) == 1
  local contents = ''
  if digest ~= '' then
    local secret = fresh
    if isHeld then
      redis.call('HSETNX', holder, '~audit', fresh)
      secret = redis.call('HGET', holder, '~audit')
    end
    contents = redis.sha1hex(secret .. digest)
  end
  local body = '{"seq":' .. seq .. ',"before":"' .. (last[2] or '') .. '","contents":"' .. contents
    .. '",' .. string.sub(text, 2, -2)
  local hash = redis.sha1hex(body)
  redis.call('HSET', head, 'seq', seq, 'hash', hash)
  redis.call('XADD', log, seq .. '-0', 'row', body .. ',"hash":"' .. hash .. '"}')
  if isHeld then redis.call('RPUSH', index, seq) end
end
`

/**
 * Writes or drops a note that is a setting, once an effect. KEYS note, effect, log, head, holder, index ·
 * ARGV value or '' to drop it, TTL in ms or '', TTL of the effect in ms, random key, digest, text.
 */
export const setNote = `${auditing}
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
if ARGV[1] == '' then redis.call('DEL', KEYS[1])
elseif ARGV[2] == '' then redis.call('SET', KEYS[1], ARGV[1])
else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
if ARGV[6] ~= '' then audit({unpack(KEYS, 3)}, unpack(ARGV, 4, 6)) end
redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
return 1
`

/**
 * Removes rows of a chain up to a number, and says so in a new one. KEYS log, head, holder, index ·
 * ARGV number, random key, text of the new row.
 */
export const trimAudit = `${auditing}
if redis.call('XLEN', KEYS[1]) == 0 then return 0 end
local gone = redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-0', tonumber(ARGV[1]) + 1))
if gone > 0 then audit(KEYS, ARGV[2], '', ARGV[3]) end
return gone
`
