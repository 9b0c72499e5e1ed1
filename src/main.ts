import type { Clock } from './agent/ports/clock.ts'
import type { Log } from './agent/ports/log.ts'
import { usualServers } from './compose/local-models.ts'
import { joinParent, type Parent } from './compose/parent.ts'
import { openStorage, type Storage } from './compose/storage.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { readEnvironment, workerNumber } from './environment.ts'
import { collectSooner } from './heap.ts'
import { createLog } from './log.ts'
import { type EnvLines, writeSettings } from './setup/env-file.ts'
import type { OwnSettings } from './setup/form.ts'
import { giveMemoryBack } from './store/embedded.ts'

type Environment = ReturnType<typeof readEnvironment>

async function main() {
  const number = workerNumber()
  let end = (_why: string): void => process.exit(0)
  const parent = number === null ? null : joinParent(number, () => end('its parent stops'))
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
  end = (why) => void stop(why)
  process.on('SIGTERM', () => void stop('SIGTERM'))
  // A terminal interrupts workers too; their parent stops them.
  process.on('SIGINT', () => void (parent === null && stop('SIGINT')))

  async function start(environment: Environment, problem: string | null) {
    const own = { read: readEnvironment, write: writeHere, restart, problem }
    return await open(environment, own, parent)
  }
  /** Starts Clew again where its page is, and with the settings before if it cannot. */
  async function startAgain(settings: EnvLines) {
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
  function restart(settings: EnvLines) {
    if (stopping) return
    busy = busy.then(() => startAgain(settings))
    busy.catch(endWith)
  }
}

const writeHere = (settings: EnvLines) => writeSettings('.', settings)

/** Opens Clew with these settings, and says where it is. A worker of another process is silent. */
async function open(environment: Environment, ownSettings: OwnSettings, parent: Parent | null) {
  const { env, inFile } = environment
  const asked = readConfig(env, inFile)
  const log = createLog(asked, parent?.number)
  const onStoreFailure = (error: Error) => {
    console.error(`Clew stops: ${error.message}`)
    process.exit(1)
  }
  // The embedded store starts in its own thread while the rest is loading (C213).
  const storage = openStorage(asked, { log, onStoreFailure })
  storage.catch(() => undefined)
  const { startClew } = await import('./compose/clew.ts')
  const { config, ...workers } = await workersOf(asked, env)
  const around = { log, env, ownSettings, storage, localServers: usualServers, ...workers }
  const clew = await startClew(config, parent === null ? around : { ...around, parent })
  // Only now: data from the start stays, and collecting it on the way took an eighth of the start's
  // processor time.
  collectSooner()
  if (parent === null) {
    for (const line of clew.lines) console.log(line)
    console.log(clew.url === null ? 'Clew is working.' : `Clew is at ${clew.url}`)
  }
  giveMemoryBack()
  return { clew, log, environment }
}

/** C588: how this process starts its workers, and its own settings beside them. */
async function workersOf(config: Config, env: Environment['env']) {
  if (config.WORKERS === undefined) return { config }
  const { beginWith, countOf, environmentOf, parentRoles, startWorkers } = await import(
    './compose/workers.ts'
  )
  return {
    config: { ...config, ROLES: parentRoles(config) },
    startWorkers: (storage: Storage, parts: { clock: Clock; log: Log }) => {
      const begin = beginWith((number) => environmentOf(number, { env, config, storage }))
      return startWorkers({ ...parts, count: countOf(config), begin })
    },
  }
}

/** Sentences for people, not stack traces. */
function problemsIn(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  return [error instanceof Error ? error.message : String(error)]
}

function say(heading: string, problems: readonly string[]) {
  console.error(heading)
  for (const problem of problems) console.error(`  ${problem}`)
}

function endWith(error: unknown) {
  say('Clew cannot start:', problemsIn(error))
  process.exit(2)
}

main().catch(endWith)
