import { usualServers } from './compose/local-models.ts'
import { openStorage } from './compose/storage.ts'
import { ConfigError, readConfig } from './config.ts'
import { readEnvironment } from './environment.ts'
import { createLog } from './log.ts'
import { type EnvLines, writeSettings } from './setup/env-file.ts'
import type { OwnSettings } from './setup/form.ts'
import { collectSooner, giveMemoryBack } from './store/embedded/heap.ts'

type Environment = ReturnType<typeof readEnvironment>

async function main() {
  let running = await start(readEnvironment(), null)
  let busy = Promise.resolve()
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    running.log.info({ signal }, 'stopping; tasks resume at the next start')
    await busy
    await running.clew.stop()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))

  async function start(environment: Environment, problem: string | null) {
    return await open(environment, { read: readEnvironment, write: writeHere, restart, problem })
  }
  /** Starts Clew again where its page is, and with the settings before if it cannot. */
  async function startAgain(settings: EnvLines): Promise<void> {
    const { env, inFile } = running.environment
    const { port } = new URL(running.clew.url ?? 'http://localhost')
    const before = { env: { ...env, PORT: env.PORT === '0' ? port : env.PORT }, inFile }
    await running.clew.stop()
    running = await start({ env: { ...before.env, ...settings }, inFile }, null).catch(
      async (error: unknown) => {
        const problems = problemsIn(error)
        say('Clew cannot start with the new settings, and goes on as before:', problems)
        return await start(before, problems.join(' '))
      },
    )
  }
  function restart(settings: EnvLines): void {
    if (stopping) return
    busy = busy.then(() => startAgain(settings))
    busy.catch(endWith)
  }
}

const writeHere = (settings: EnvLines) => writeSettings('.', settings)

/** Opens Clew with these settings, and says where it is. */
async function open(environment: Environment, ownSettings: OwnSettings) {
  const { env, inFile } = environment
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
  const around = { log, env, ownSettings, storage, localServers: usualServers }
  const clew = await startClew(config, around)
  // Only now: data from the start stays, and collecting it on the way took an eighth of the start's
  // processor time.
  collectSooner()
  for (const line of clew.lines) console.log(line)
  console.log(clew.url === null ? 'Clew is working.' : `Clew is at ${clew.url}`)
  giveMemoryBack()
  return { clew, log, environment }
}

/** Sentences for people, not stack traces. */
function problemsIn(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  return [error instanceof Error ? error.message : String(error)]
}

function say(heading: string, problems: readonly string[]): void {
  console.error(heading)
  for (const problem of problems) console.error(`  ${problem}`)
}

function endWith(error: unknown): void {
  say('Clew cannot start:', problemsIn(error))
  process.exit(2)
}

main().catch(endWith)
