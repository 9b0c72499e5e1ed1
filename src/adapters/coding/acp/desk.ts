import { inTime } from '../../../agent/deadline.ts'
import type { AgentAnswer } from '../../../agent/domain/mission.ts'
import type { Clock } from '../../../agent/ports/clock.ts'
import type { CodingFolder } from '../../../agent/ports/coding-folder.ts'
import type { Log } from '../../../agent/ports/log.ts'
import { createReaper } from '../../reaper.ts'
import { endOrphan } from '../agent-process.ts'
import { exists } from '../folder.ts'
import { readTaskFile, taskFile } from '../protocol.ts'
import { agentTurn } from './agent-turn.ts'
import { branchOf, openCheckout } from './checkout.ts'
import { NoAgent } from './connection.ts'
import { finish } from './finish.ts'
import { isAlive, newOrder, type OrderFile, orderFilesIn, ownProcess } from './order-file.ts'
import { createRequests } from './requests.ts'

export interface AcpOptions {
  /** Command of the agent, as words. */
  command: readonly string[]
  /** Mode that the agent's sessions are set to; null: its own. */
  mode: string | null
  /** Path or address of the team's repository. */
  repo: string
  /** Command that tests the work, as words; null: none. */
  tests: readonly string[] | null
  /** True if branches may be pushed once people approve it. */
  push: boolean
  /** Folder of the agents' work. */
  folder: string
  /** The whole environment of the agent. */
  env: Readonly<Record<string, string | undefined>>
  /** Time for one task, in ms; waiting for people does not count. */
  timeMs: number
}

interface AcpDeps {
  clock: Clock
  log: Log
}

export type AcpDesk = CodingFolder & { stop(): Promise<void> }

/** Most agents at once in one process; others wait for their turn. */
const atOnce = 4
/** Starts of an agent for one task, before it is given up. */
const beginsMost = 3
/** Interval at which a turn looks for answers and stores its state, in ms. */
const tickMs = 250
/** A tick that comes later than this was not work: the machine slept. In ms. */
const tickMost = 5_000

/** Longest wait for work that was told to stop, in ms. */
const stopMs = 8_000

interface Live {
  order: OrderFile
  stop: AbortController
  done: Promise<void>
}

/**
 * Port to a coding agent that speaks the Agent Client Protocol: Clew starts it as a child process,
 * in a clone of its own, one process a task (C870).
 *
 * The state of a task is a file. If the process that works on it is gone, the next look starts the
 * agent again where it was (C873).
 */
export function createAcpDesk(options: AcpOptions, { clock, log }: AcpDeps): AcpDesk {
  const files = orderFilesIn(options.folder)
  const groups = createReaper()
  const live = new Map<string, Live>()

  /**
   * Starts or goes on with a task, unless it is over or somebody works on it. It is read only when
   * nobody works on it here: whoever did has stored how it ended.
   */
  async function ensure(id: string) {
    if (live.has(id)) return
    const order = await files.read(id)
    if (order === null || order.report !== null || order.problem !== null) return
    const { owner } = order
    if (owner !== null && owner.pid !== process.pid && (await isAlive(owner))) return
    if (live.has(id) || live.size >= atOnce) return
    const stop = new AbortController()
    order.asks = null
    const done = work(order, stop).finally(() => live.delete(order.id))
    live.set(order.id, { order, stop, done })
  }

  async function work(order: OrderFile, stop: AbortController) {
    try {
      await workOn(order, stop)
    } catch (error) {
      log.error({ order: order.id, err: error }, 'the coding agent cannot work')
      order.problem = error instanceof Error ? error.message : String(error)
      if (await files.read(order.id)) await files.write(order)
    }
  }

  async function workOn(order: OrderFile, stop: AbortController) {
    const { env, command, mode, repo, folder: _, ...rest } = options
    const { save, changed, flush } = createSaver(() => files.write(order))
    if (order.agent !== null) await endOrphan(order.agent.pid, order.agent.birth)
    const isAgain = order.agent !== null
    Object.assign(order, { owner: await ownProcess(), problem: null })
    await save()
    const earlier = order.after === null ? null : files.tree(order.after)
    const checkout = await openCheckout(files.tree(order.missionId), {
      repo,
      env,
      branch: branchOf(order.goal, order.missionId),
      earlier: earlier !== null && (await exists(earlier)) ? earlier : null,
    })
    order.base ??= checkout.head
    const requests = createRequests(order, { randomId: clock.randomId, save })
    const shared = { order, checkout, env, requests, groups, clock }
    const late = new AbortController()
    const untick = clock.every(tickMs, createTick({ order, late, requests, flush }))
    try {
      order.ended ??=
        order.begins >= beginsMost
          ? { why: 'interrupted', text: '' }
          : await agentTurn(
              { ...shared, command, mode, files, isAgain, changed, save },
              AbortSignal.any([stop.signal, late.signal]),
            )
      if (stop.signal.aborted) return await letGo(order, stop.signal, save)
      await save()
      await finish({ ...shared, ...rest, repo }, stop.signal)
      if (!stop.signal.aborted) await save()
    } finally {
      untick()
    }
  }

  /** A stop of Clew is no failure of the task: it does not count as an interruption. */
  async function letGo(order: OrderFile, { reason }: AbortSignal, save: () => Promise<void>) {
    if (reason !== 'shutdown' || order.ended?.why !== 'shutdown') return
    order.ended = null
    order.begins -= 1
    await save()
  }

  /** Counts the time that the agent works, passes answers on, and stores what changed. */
  function createTick(of: {
    order: OrderFile
    late: AbortController
    requests: ReturnType<typeof createRequests>
    flush(): Promise<void>
  }) {
    const { order, late, requests, flush } = of
    let last = clock.now()
    return async () => {
      const now = clock.now()
      const passed = Math.min(now - last, tickMost)
      last = now
      if (order.asks !== null) await requests.take(await files.answers(order.id))
      else if (order.ended === null) order.workedMs += passed
      if (order.workedMs > options.timeMs && order.ended === null) late.abort('time')
      await flush()
    }
  }

  /** Ends all work on a mission, here and in a process that does it elsewhere on this machine. */
  async function endAll(missionId: string) {
    for (const order of await files.ofMission(missionId)) {
      const here = live.get(order.id)
      here?.stop.abort('stopped')
      if (here !== undefined) await ended(here)
      if (here === undefined && order.report === null && order.agent !== null)
        await endOrphan(order.agent.pid, order.agent.birth)
    }
  }

  /** Waits for an agent to end; a long clone is left to itself. */
  const ended = ({ done }: Live) => inTime(clock, stopMs, done)

  async function answer(id: string, answers: readonly AgentAnswer[]) {
    if (answers.length > (await files.answers(id)).length) await files.answer(id, answers)
  }

  return {
    async handOver(letter, mission) {
      const known = await files.read(letter.id)
      if (known !== null) return await ensure(letter.id)
      await endAll(letter.missionId)
      await files.tidy(clock.now())
      const { id, missionId, after = null, title } = letter
      const prompt = readTaskFile(taskFile(letter))?.text ?? ''
      await files.write(newOrder({ id, missionId, after, title, goal: mission.goal, prompt }))
      await ensure(id)
    },
    async look(id, answers = []) {
      const order = await files.read(id)
      if (order === null) return null
      const { report, workedMs, files: made, problem } = order
      if (report !== null) return { size: 1, report, isWhole: true, workedMs, files: made }
      if (problem !== null) {
        await files.write({ ...order, problem: null, owner: null })
        throw new NoAgent(problem)
      }
      await answer(id, answers)
      await ensure(id)
      const { progress, asks } = live.get(id)?.order ?? order
      return { progress, asks }
    },
    async dismiss({ missionId }) {
      await endAll(missionId)
      await files.end(missionId)
    },
    async stop() {
      for (const { stop } of live.values()) stop.abort('shutdown')
      await Promise.all([...live.values()].map(ended))
      groups.stop()
    },
  }
}

/** Writes one after the other; `changed` marks what the next `flush` writes. */
function createSaver(write: () => Promise<void>) {
  let chain: Promise<void> = Promise.resolve()
  let isChanged = false
  const save = () => {
    isChanged = false
    chain = chain.then(write)
    return chain
  }
  const changed = () => {
    isChanged = true
  }
  return { save, changed, flush: async () => (isChanged ? await save() : undefined) }
}
