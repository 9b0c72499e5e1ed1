import { execFile } from 'node:child_process'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../../agent/ports/clock.ts'
import { type AgentEnd, birthOf, endOrphan, runAgent } from './agent-process.ts'
import { type CommandTemplate, fillIn, namesPrompt } from './command-line.ts'
import { exists, type Places, placesIn, prepare, readStart, writeWhole } from './folder.ts'
import { readTaskFile, reportFileNames, type TaskFile, taskFileName } from './protocol.ts'
import { type Execution, reportFile } from './report-file.ts'

export interface RunnerOptions {
  /** Folder shared with Clew. */
  folder: string
  /** Working directory of the agent. */
  cwd: string
  /** Commands for tasks of a new session and of a known one. */
  command: CommandTemplate
  continueCommand: CommandTemplate
  env: Readonly<Record<string, string | undefined>>
  pollMs: number
  timeMs: number
  outputBytes: number
}

interface RunnerDeps {
  clock: Clock
  /** Prints a line for the operator at the start and end of each task. */
  say(line: string): void
}

const taskMost = 256 * 1024

/**
 * Runs the agent's side of the file protocol (R127): hands each task file to a command-line agent,
 * one at a time, and writes its report.
 *
 * A started task is never restarted by itself. After a crash, its report says that it was cut off,
 * and the sender decides (rule 5). The caller ensures that only one runner works on a folder.
 */
export async function runTasks(
  options: RunnerOptions,
  deps: RunnerDeps,
  signal: AbortSignal,
): Promise<void> {
  await prepare(options.folder)
  const runner: Runner = { ...options, ...deps, places: placesIn(options.folder) }
  await mend(runner)
  while (!signal.aborted) {
    const task = await nextOf(runner.places)
    if (task === null) await deps.clock.sleep(options.pollMs, signal)
    else await work(runner, task, signal)
  }
}

type Runner = RunnerOptions & RunnerDeps & { places: Places }

/**
 * Cleans up after an earlier runner: files away finished tasks, kills orphaned agents and reports
 * started tasks as cut off.
 */
async function mend(runner: Runner) {
  const { places } = runner
  for (const task of await waitingIn(places)) {
    const begun = await readStart(places.begun(task.id), taskMost)
    if (await hasReport(places, task)) await putAway(places, task)
    else if (begun !== null) {
      const { sessionId, pid, birth } = JSON.parse(begun.text)
      if (typeof pid === 'number') await endOrphan(pid, birth)
      await report(runner, task, { end: cutOff, sessionId, argv: [], written: null })
    }
  }
}

async function work(runner: Runner, task: TaskFile, stop: AbortSignal) {
  const { places, clock, cwd, env, timeMs, outputBytes } = runner
  const sessionId = task.sessionId ?? clock.randomId()
  const template =
    task.command === 'continue' && task.sessionId !== null ? runner.continueCommand : runner.command
  const [promptPath, reportPath] = [places.prompt(task.id), places.written(task.id)]
  await writeWhole(promptPath, task.text)
  const argv = fillIn(template, {
    prompt: task.text,
    prompt_file: promptPath,
    session_id: sessionId,
    task_id: task.id,
    report_file: reportPath,
    workdir: cwd,
  })
  const begin = async (pid: number | null) => {
    const birth = pid === null ? null : await birthOf(pid)
    await writeWhole(places.begun(task.id), JSON.stringify({ sessionId, pid, birth }))
  }
  await begin(null)
  runner.say(`task ${task.id}: ${task.command}, session ${sessionId}`)
  const [canceled, over] = [new AbortController(), new AbortController()]
  const looking = watchForEnd(runner, task, { canceled, over: over.signal })
  const end = await runAgent(
    { argv, cwd, env, input: namesPrompt(template) ? null : task.text, timeMs, outputBytes },
    { clock, signal: AbortSignal.any([stop, canceled.signal]), begun: begin },
  )
  over.abort()
  await looking
  const written = await readStart(reportPath, taskMost)
  await report(runner, task, { end, sessionId, argv, written: written?.text ?? null })
  for (const path of [promptPath, reportPath]) await rm(path, { force: true })
}

async function watchForEnd(
  { clock, pollMs, places }: Runner,
  task: TaskFile,
  { canceled, over }: { canceled: AbortController; over: AbortSignal },
) {
  while (!over.aborted && !canceled.signal.aborted) {
    await clock.sleep(pollMs, over)
    await takeEnds(places)
    if (await hasEnded(places, task)) canceled.abort()
  }
}

async function report(
  { places, cwd, clock, say }: Runner,
  task: TaskFile,
  execution: Omit<Execution, 'at' | 'changes'>,
) {
  const { end } = execution
  const text = reportFile({
    ...execution,
    changes: await changesIn(cwd),
    at: new Date(clock.now()).toISOString(),
  })
  await writeWhole(join(places.reports, `report-${taskFileName(task.id)}`), text)
  await putAway(places, task)
  say(
    `task ${task.id}: ${end.why}, exit code ${end.exitCode ?? 'none'}, ${(end.ms / 1000).toFixed(1)} s`,
  )
}

/** Returns the next task, or `null` if none waits. */
async function nextOf(places: Places): Promise<TaskFile | null> {
  for (const task of await takeEnds(places)) {
    // A task that is already processed is not started again, even if its file was written once
    // more.
    const isKnown =
      (await exists(join(places.processed, taskFileName(task.id)))) ||
      (await hasReport(places, task))
    if (!isKnown && !(await hasEnded(places, task))) return task
    await putAway(places, task)
  }
  return null
}

/** Marks ended missions, whose tasks are no longer started. Returns the other waiting tasks. */
async function takeEnds(places: Places): Promise<TaskFile[]> {
  const tasks = await waitingIn(places)
  for (const task of tasks.filter(({ command }) => command === 'end')) {
    if (task.missionId !== null) await writeWhole(places.ended(task.missionId), '')
    await putAway(places, task)
  }
  return tasks.filter(({ command }) => command !== 'end')
}

/** Returns the waiting task files, oldest first. */
async function waitingIn({ pending }: Places): Promise<TaskFile[]> {
  const names = (await readdir(pending)).filter((name) => /^task-[\w-]+\.md$/.test(name))
  const found = await Promise.all(names.map((name) => readStart(join(pending, name), taskMost)))
  const tasks = found.flatMap((file, index) => {
    const task = file && readTaskFile(file.text)
    return task === null || taskFileName(task.id) !== names[index] ? [] : [task]
  })
  return tasks.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
}

async function putAway(places: Places, { id }: TaskFile) {
  await rename(join(places.pending, taskFileName(id)), join(places.processed, taskFileName(id)))
  await rm(places.begun(id), { force: true })
}

const hasEnded = async (places: Places, { missionId }: TaskFile) =>
  missionId !== null && (await exists(places.ended(missionId)))

async function hasReport({ reports }: Places, { id }: TaskFile): Promise<boolean> {
  for (const name of reportFileNames(id)) if (await exists(join(reports, name))) return true
  return false
}

const cutOff: AgentEnd = {
  why: 'stopped',
  exitCode: null,
  output:
    'The runner was interrupted while the agent worked. What it had done by then may be in the working directory: look first.',
  ms: 0,
}

const run = promisify(execFile)

/** Returns git's status and newest commits, or an empty text outside a repository. */
async function changesIn(cwd: string): Promise<string> {
  const ask = async (...args: string[]) => {
    try {
      const { stdout } = await run('git', args, { cwd, timeout: 10_000, maxBuffer: 1024 * 1024 })
      return stdout.trim().slice(0, 4_000)
    } catch {
      return ''
    }
  }
  const parts = await Promise.all([
    ask('log', '--oneline', '-3'),
    ask('status', '--short'),
    ask('diff', '--stat', 'HEAD'),
  ])
  return parts.filter((part) => part !== '').join('\n\n')
}
