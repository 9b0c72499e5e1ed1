import * as valkey from '../../packages/embedded-valkey/index.ts'

export { giveMemoryBack } from '../../packages/embedded-valkey/index.ts'

/** Names of Clew's settings, for the messages of the embedded store. */
const names: valkey.Names = {
  program: 'Clew',
  dataDir: 'DATA_DIR',
  acceptLoss: 'CLEW_ACCEPT_LOSS=1',
  otherServer: 'REDIS_URL',
}

/**
 * Rows that people would miss. The keys are those of `redis/keys.ts`, which the start does not wait
 * for.
 */
const census: valkey.Census = {
  script: `
local conversations, runs = 0, 0
for _, workspace in ipairs(redis.call('SMEMBERS', 'clew:workspaces')) do
  conversations = conversations + redis.call('ZCARD', 'clew:{' .. workspace .. '}:conversations')
  runs = runs + redis.call('ZCARD', 'clew:{' .. workspace .. '}:runs')
end
return conversations .. ' ' .. runs
`,
  nouns: ['conversations', 'runs'],
  words: ['conversations', 'tasks'],
}

export type EmbeddedStore = valkey.EmbeddedStore

/** Starts the embedded Valkey with Clew's names; what it promises is said there. */
export const startEmbeddedStore = (
  options: Omit<valkey.EmbeddedStoreOptions, 'names' | 'census'>,
): Promise<EmbeddedStore> => valkey.startEmbeddedStore({ ...options, names, census })

/** Makes this process the only owner of a data folder. */
export const lockDataDir = (dataDir: string, { shared = false } = {}) =>
  valkey.lockDataDir(dataDir, { names, shared })
