import type { Engine } from './engine.ts'
import type { LocalConnection } from './sockets.ts'

/** Counts the rows that people would miss. The names are those of `redis/keys.ts`, which this thread has no use for otherwise. */
const SCRIPT = `
local conversations, runs = 0, 0
for _, workspace in ipairs(redis.call('SMEMBERS', 'clew:workspaces')) do
  conversations = conversations + redis.call('ZCARD', 'clew:{' .. workspace .. '}:conversations')
  runs = runs + redis.call('ZCARD', 'clew:{' .. workspace .. '}:runs')
end
return conversations .. ' ' .. runs
`

/** What people would miss. */
export interface Census {
  conversations: number
  runs: number
}

/** How many conversations and runs the store holds now. Reads only. */
export function takeCensus(engine: Engine, local: LocalConnection): Census {
  const answer = engine.command(local, 'EVAL', SCRIPT, '0')
  const [, conversations = 0, runs = 0] = /\b(\d+) (\d+)\r\n$/.exec(answer)?.map(Number) ?? []
  return { conversations, runs }
}
