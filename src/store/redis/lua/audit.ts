import { takes } from './takes.ts'

/**
 * Adds rows to the chain of a workspace (C710). Their numbers, the hash of the row before and their
 * own hashes are made here, so that no two commits can take the same place and none has to wait.
 *
 * Contents are kept as a hash under a key of the thread or run that they belong to (`holder`),
 * which is made with its first contents and deleted with it (C712). Without a holder nobody knows
 * the key.
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
 * Adds one row, once an effect. `ttl` is that of the effect, in ms. Answers 1; 0 if the effect was
 * seen before, or there is no text.
 */
export const addAudit = `${takes(
  'effect, log, head, holder, rows',
  'ttl, secret, digest, text',
)}${auditing}
if text == '' or redis.call('EXISTS', effect) == 1 then return 0 end
audit({log, head, holder, rows}, secret, {digest, text})
redis.call('SET', effect, '1', 'PX', ttl)
return 1
`

/**
 * Writes or drops a note that is a setting, once an effect. A blank `value` drops it; it is kept
 * for `keep` ms, for good where that is blank. Answers 1; 0 if the effect was seen before.
 */
export const setNote = `${takes(
  'note, effect, log, head, holder, rows',
  'value, keep, ttl, secret, digest, text',
)}${auditing}
if redis.call('EXISTS', effect) == 1 then return 0 end
if value == '' then redis.call('DEL', note)
elseif keep == '' then redis.call('SET', note, value)
else redis.call('SET', note, value, 'PX', keep) end
if text ~= '' then audit({log, head, holder, rows}, secret, {digest, text}) end
redis.call('SET', effect, '1', 'PX', ttl)
return 1
`

/**
 * Removes rows of a chain up to a number, and says so in a new one with this text. Answers how many
 * it removed.
 */
export const trimAudit = `${takes('log, head, holder, rows', 'number, secret, text')}${auditing}
if redis.call('XLEN', log) == 0 then return 0 end
local gone = redis.call('XTRIM', log, 'MINID', string.format('%.0f-0', tonumber(number) + 1))
if gone > 0 then audit({log, head, holder, rows}, secret, {'', text}) end
return gone
`
