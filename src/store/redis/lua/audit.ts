/**
 * Adds rows to the chain of a workspace (C710). Their numbers, the hash of the row before and their own
 * hashes are made here, so that no two commits can take the same place and none has to wait.
 *
 * Contents are kept as a hash under a key of the thread or run that they belong to (`holder`), which
 * is made with its first contents and deleted with it (C712). Without a holder nobody knows the key.
 *
 * `rows`: digest and text of each, in turn.
 */
export const auditing = `
local function audit(keys, fresh, rows)
  local log, head, holder, index = keys[1], keys[2], keys[3], keys[4]
  local secret = redis.call('HGET', holder, '~audit')
  local isHeld = secret or redis.call('EXISTS', holder) == 1
  local last = redis.call('HMGET', head, 'seq', 'hash')
  local seq, hash, added = tonumber(last[1] or '0') or 0, last[2] or '', {}
  for at = 1, #rows, 2 do
    local digest, text, contents = rows[at], rows[at + 1], ''
    if digest ~= '' then
      if isHeld and not secret then redis.call('HSET', holder, '~audit', fresh) end
      secret = secret or fresh
      contents = redis.sha1hex(secret .. digest)
    end
    seq = seq + 1
    added[#added + 1] = string.format('%.0f', seq)
    local body = '{"seq":' .. added[#added] .. ',"before":"' .. hash .. '","contents":"' .. contents
      .. '",' .. string.sub(text, 2, -2)
    hash = redis.sha1hex(body)
    redis.call('XADD', log, added[#added] .. '-0', 'row', body .. ',"hash":"' .. hash .. '"}')
  end
  redis.call('HSET', head, 'seq', added[#added], 'hash', hash)
  if isHeld then redis.call('RPUSH', index, unpack(added)) end
end
`

/**
 * Adds one row, once an effect. KEYS effect, log, head, holder, index · ARGV TTL of the effect in ms,
 * random key, digest, text, or blanks.
 */
export const addAudit = `${auditing}
if ARGV[4] == '' or redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
audit({unpack(KEYS, 2)}, ARGV[2], {unpack(ARGV, 3, 4)})
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return 1
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
if ARGV[6] ~= '' then audit({unpack(KEYS, 3)}, ARGV[4], {unpack(ARGV, 5, 6)}) end
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
if gone > 0 then audit(KEYS, ARGV[2], {'', ARGV[3]}) end
return gone
`
