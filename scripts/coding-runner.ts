/**
 * `npm run coding-runner -- --command '…'`: lets a command-line coding agent work on the tasks that Clew puts into the folder
 * that they share. docs/coding.md says how, and what to be careful about.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { CommandError, readCommand } from '../src/adapters/coding/command-line.ts'
import { type RunnerOptions, runTasks } from '../src/adapters/coding/runner.ts'
import { createSystemClock } from '../src/clock.ts'
import { settingNames } from '../src/config.ts'
import { lockDataDir } from '../src/store/embedded.ts'

const usage = `npm run coding-runner -- --command '<your agent> {prompt}'

  --command           how the agent is started for a new session; {prompt}, {prompt_file}, {session_id}, {task_id}, {report_file}
                      and {workdir} are filled in; without {prompt} and {prompt_file} it reads its task from its input
  --continue-command  how it goes on with a session that it knows; the same when it is left out
  --cwd               where it works (.)
  --folder            the folder that is shared with Clew (CODING_FOLDER)
  --time-limit        seconds for one task (540)
  --output-limit      kilobytes of output for one task (10240)
  --poll              milliseconds between two looks for a task (1000)`

/** @throws CommandError that says what is wrong. */
function optionsOf(
  args: readonly string[],
  env: Record<string, string | undefined>,
): RunnerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      command: { type: 'string' },
      'continue-command': { type: 'string' },
      cwd: { type: 'string', default: '.' },
      folder: { type: 'string' },
      'time-limit': { type: 'string', default: '540' },
      'output-limit': { type: 'string', default: '10240' },
      poll: { type: 'string', default: '1000' },
    },
  })
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const folder = values.folder ?? env.CODING_FOLDER ?? file.CODING_FOLDER ?? ''
  if (values.command === undefined) throw new CommandError('--command is missing')
  if (folder.trim() === '')
    throw new CommandError('--folder is missing, and so is the setting CODING_FOLDER')
  const cwd = resolve(values.cwd)
  if (!existsSync(cwd) || !statSync(cwd).isDirectory())
    throw new CommandError(`--cwd: there is no folder ${cwd}`)
  return {
    folder: resolve(folder),
    cwd,
    command: readCommand(values.command),
    continueCommand: readCommand(values['continue-command'] ?? values.command),
    env: withoutSecrets(env),
    pollMs: whole('poll', values.poll),
    timeMs: whole('time-limit', values['time-limit']) * 1000,
    outputBytes: whole('output-limit', values['output-limit']) * 1024,
  }
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`--${name}: ${text} is not a whole number above 0`)
  return Number(text)
}

/** The agent gets none of Clew's own secrets; the key of a model it may well need. */
function withoutSecrets(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const secret = settingNames.filter(
    (name) => /TOKEN|SECRET|KEY|REDIS_URL/.test(name) && !name.startsWith('OPENAI_'),
  )
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.includes(name)))
}

async function run() {
  const options = optionsOf(process.argv.slice(2), process.env)
  const lock = lockDataDir(join(options.folder, 'runner'))
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
  console.log(`Working on the tasks in ${options.folder}, in ${options.cwd}.`)
  try {
    await runTasks(
      options,
      { clock: createSystemClock(), say: (line) => console.log(line) },
      stop.signal,
    )
  } finally {
    lock.release()
  }
}

/** Works on tasks until it is told to stop; what it cannot do is said on standard error and ends the process. */
export async function main(): Promise<void> {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    if (error instanceof CommandError || (error instanceof TypeError && 'code' in error))
      console.error(`\n${usage}`)
    process.exit(2)
  })
}

if (import.meta.main) await main()
