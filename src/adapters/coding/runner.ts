import { execFile } from 'node:child_process'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../../agent/ports/clock.ts'
import { type AgentEnd, birthOf, endOrphan, runAgent } from './agent-process.ts'
import { type CommandTemplate, fillIn, namesPrompt } from './command-line.ts'
import { exists, placesIn, prepare, readStart, writeWhole } from './folder.ts'
import { readTaskFile, reportFileNames, type TaskFile, taskFileName } from './protocol.ts'
import { reportFile } from './report-file.ts'

export interface RunnerOptions {
  /** Shared with Clew. */
  folder: string
  /** Where the agent works. */
  cwd: string
  /** For a task of a new session, and of one that is known. */
  command: CommandTemplate
  continueCommand: CommandTemplate
  env: Readonly<Record<string, string | undefined>>
  pollMs: number
  timeMs: number
  outputBytes: number
}

interface RunnerDeps {
  clock: Clock
  /** One line a task, for the operator. */
  say(line: string): void
}

const taskMost = 256 * 1024

/**
 * The other side of the file protocol (R127): hands each task file to a command-line agent, one at a time, and writes its
 * report.
 *
 * A task that was begun is never begun again by itself: after a crash its report says that it was cut off, and whoever sent it
 * decides (rule 5). The caller sees to it that one runner works on a folder.
 */
export async function runTasks(options: RunnerOptions, deps: RunnerDeps, signal: AbortSignal): Promise<void> {
  await prepare(options.folder)
  const runner = createRunner(options, deps)
  await runner.mend()
  while (!signal.aborted) {
    const task = await runner.next()
    if (task === null) await deps.clock.sleep(options.pollMs, signal)
    else await runner.work(task, signal)
  }
}

function createRunner(options: RunnerOptions, { clock, say }: RunnerDeps) {
  const places = placesIn(options.folder)
  const own = join(options.folder, 'runner')
  const begunFile = (id: string) => join(own, `begun-${id}.json`)
  const endedFile = (mission: string) => join(own, `ended-${mission.replace(/[^\w-]/g, '_')}`)

  /** The task files that wait, oldest first. */
  async function waiting(): Promise<TaskFile[]> {
    const names = (await readdir(places.pending)).filter((name) => /^task-[\w-]+\.md$/.test(name))
    const found = await Promise.all(names.map((name) => readStart(join(places.pending, name), taskMost)))
    const tasks = found.flatMap((file, index) => {
      const task = file === null ? null : readTaskFile(file.text)
      return task === null || taskFileName(task.id) !== names[index] ? [] : [task]
    })
    return tasks.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id))
  }

  async function putAway({ id }: TaskFile): Promise<void> {
    await rename(join(places.pending, taskFileName(id)), join(places.processed, taskFileName(id)))
    await rm(begunFile(id), { force: true })
  }

  async function hasReport(id: string): Promise<boolean> {
    for (const name of reportFileNames(id)) if (await exists(join(places.reports, name))) return true
    return false
  }

  async function report(
    task: TaskFile,
    end: AgentEnd,
    sessionId: string,
    argv: readonly string[],
    written: string | null,
  ) {
    const changes = await changesIn(options.cwd)
    const at = new Date(clock.now()).toISOString()
    const text = reportFile({ end, sessionId, at, argv, changes, written })
    await writeWhole(join(places.reports, `report-${taskFileName(task.id)}`), text)
    await putAway(task)
    say(`task ${task.id}: ${end.why}, exit code ${end.exitCode ?? 'none'}, ${(end.ms / 1000).toFixed(1)} s`)
  }

  async function hasEnded({ missionId }: TaskFile): Promise<boolean> {
    return missionId !== null && (await exists(endedFile(missionId)))
  }

  /** Missions that are over: their tasks are not begun any more. */
  async function takeEnds(tasks: readonly TaskFile[]): Promise<void> {
    for (const task of tasks.filter(({ command }) => command === 'end')) {
      if (task.missionId !== null) await writeWhole(endedFile(task.missionId), '')
      await putAway(task)
    }
  }

  async function watchForEnd(task: TaskFile, canceled: AbortController, over: AbortSignal): Promise<void> {
    while (!over.aborted && !canceled.signal.aborted) {
      await clock.sleep(options.pollMs, over)
      await takeEnds(await waiting())
      if (await hasEnded(task)) canceled.abort()
    }
  }

  async function work(task: TaskFile, stop: AbortSignal): Promise<void> {
    const sessionId = task.sessionId ?? clock.randomId()
    const template = task.command === 'continue' && task.sessionId !== null ? options.continueCommand : options.command
    const [promptPath, reportPath] = [join(own, `prompt-${task.id}.md`), join(own, `report-${task.id}.md`)]
    await writeWhole(promptPath, task.text)
    const argv = fillIn(template, {
      prompt: task.text,
      prompt_file: promptPath,
      session_id: sessionId,
      task_id: task.id,
      report_file: reportPath,
      workdir: options.cwd,
    })
    await writeWhole(begunFile(task.id), JSON.stringify({ sessionId, pid: null, birth: null }))
    say(`task ${task.id}: ${task.command}, session ${sessionId}`)
    const canceled = new AbortController()
    const over = new AbortController()
    const looking = watchForEnd(task, canceled, over.signal)
    const end = await runAgent(
      {
        argv,
        cwd: options.cwd,
        env: options.env,
        input: namesPrompt(template) ? null : task.text,
        timeMs: options.timeMs,
        outputBytes: options.outputBytes,
      },
      {
        clock,
        signal: AbortSignal.any([stop, canceled.signal]),
        begun: async (pid) =>
          writeWhole(begunFile(task.id), JSON.stringify({ sessionId, pid, birth: await birthOf(pid) })),
      },
    )
    over.abort()
    await looking
    const written = await readStart(reportPath, taskMost)
    await report(task, end, sessionId, argv, written?.text ?? null)
    for (const path of [promptPath, reportPath]) await rm(path, { force: true })
  }

  return {
    work,
    /** What an earlier runner left: agents that still work, tasks that it had begun, reports whose task is still there. */
    async mend(): Promise<void> {
      for (const task of await waiting()) {
        const begun = await readStart(begunFile(task.id), taskMost)
        if (await hasReport(task.id)) await putAway(task)
        else if (begun !== null) {
          const { sessionId, pid, birth } = JSON.parse(begun.text)
          if (typeof pid === 'number') await endOrphan(pid, birth)
          await report(task, cutOff, sessionId, [], null)
        }
      }
    },
    /** The task that is next in line; null while none waits. */
    async next(): Promise<TaskFile | null> {
      const tasks = await waiting()
      await takeEnds(tasks)
      for (const task of tasks) {
        if (task.command === 'end') continue
        // One that was put away before is not begun again, whoever has written it once more.
        const isKnown = (await exists(join(places.processed, taskFileName(task.id)))) || (await hasReport(task.id))
        if (!isKnown && !(await hasEnded(task))) return task
        await putAway(task)
      }
      return null
    },
  }
}

const cutOff: AgentEnd = {
  why: 'stopped',
  exitCode: null,
  output:
    'The runner was interrupted while the agent worked. What it had done by then may be in the working directory: look first.',
  ms: 0,
}

const run = promisify(execFile)

/** What git says has changed and what the newest commits are; empty where there is no repository. */
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
