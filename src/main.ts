import { usualServers } from './compose/local-models.ts'
import { openStorage } from './compose/storage.ts'
import { ConfigError, readConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { createLog } from './log.ts'
import { collectSooner, giveMemoryBack } from './store/embedded/heap.ts'

async function main() {
  const { env, inFile } = readEnvironment()
  const config = readConfig(env, inFile)
  const log = createLog(config)
  const onStoreFailure = (error: Error) => {
    console.error(`Clew stops: ${error.message}`)
    process.exit(1)
  }
  // The embedded store starts in its own thread while the rest is loading (C213).
  const storage = openStorage(config, { log, onStoreFailure })
  storage.catch(() => undefined)
  const { startClew } = await import('./compose/clew.ts')
  const clew = await startClew(config, {
    log,
    env,
    readEnvironment,
    storage,
    localServers: usualServers,
  })
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping; tasks resume at the next start')
    await clew.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))

  // Only now: data from the start stays, and collecting it on the way took an eighth of the start's
  // processor time.
  collectSooner()
  for (const line of clew.lines) console.log(line)
  console.log(clew.url === null ? 'Clew is working.' : `Clew is at ${clew.url}`)
  giveMemoryBack()
}

main().catch((error: unknown) => {
  // People get sentences, not stack traces.
  const problems =
    error instanceof ConfigError
      ? error.problems
      : [error instanceof Error ? error.message : String(error)]
  console.error('Clew cannot start:')
  for (const problem of problems) console.error(`  ${problem}`)
  process.exit(2)
})
