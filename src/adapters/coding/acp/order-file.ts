import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MadeFile } from '../../../agent/domain/made-file.ts'
import { AgentAnswer, AgentProgress, AgentRequest, Report } from '../../../agent/domain/mission.ts'
import { birthOf } from '../agent-process.ts'
import { readStart, writeWhole } from '../folder.ts'

/**
 * A process, told from a later one with the same id by its start; `birth` is null where no system
 * tells.
 */
const Process = z.object({ pid: z.int(), birth: z.string().nullable() })
export type Process = z.infer<typeof Process>

/**
 * State of one task for an agent, in a file beside its checkout. Only the process that works on it
 * writes it; whoever looks at it next reads it.
 */
const OrderFile = z.object({
  version: z.literal(1),
  id: z.string(),
  missionId: z.string(),
  /** Mission whose work this one goes on with. */
  after: z.string().nullable(),
  title: z.string(),
  goal: z.string(),
  prompt: z.string(),
  /** Number of times that an agent was started for it. */
  begins: z.int(),
  /** Clew's process that works on it, and the agent's process group. */
  owner: Process.nullable(),
  agent: Process.nullable(),
  /** Commit before the agent began. */
  base: z.string().nullable(),
  workedMs: z.number(),
  progress: AgentProgress,
  asks: AgentRequest.nullable(),
  /** Requests so far. One that is `spent` got its answer and is never answered again (S91). */
  asked: z.array(z.object({ id: z.string(), text: z.string(), spent: z.boolean() })),
  /** End of the agent's turn and its last words; null while it works. */
  ended: z.object({ why: z.string(), text: z.string() }).nullable(),
  report: Report.nullable(),
  files: z.array(MadeFile),
  /** Why no agent can work, in words for whoever runs Clew. */
  problem: z.string().nullable(),
})
export type OrderFile = z.infer<typeof OrderFile>

export const newOrder = (
  asked: Pick<OrderFile, 'id' | 'missionId' | 'after' | 'title' | 'goal' | 'prompt'>,
): OrderFile => ({
  ...asked,
  version: 1,
  begins: 0,
  owner: null,
  agent: null,
  base: null,
  workedMs: 0,
  progress: { plan: [], doing: null },
  asks: null,
  asked: [],
  ended: null,
  report: null,
  files: [],
  problem: null,
})

/** Largest state, in bytes: the changes of a step are in it. */
const stateMost = 16 * 1024 * 1024
/** Time after which what is left of an ended mission is removed. */
const keptMs = 14 * 24 * 3_600_000

export type OrderFiles = ReturnType<typeof orderFilesIn>

/** Files about tasks and missions in the folder of the agent's work. */
export function orderFilesIn(folder: string) {
  const orders = join(folder, 'orders')
  const path = (id: string) => join(orders, `${id}.json`)
  const answersPath = (id: string) => join(orders, `${id}.answers.json`)
  const missionPath = (id: string) => join(folder, 'missions', id.replace(/[^\w-]/g, '_'))
  const sessionPath = (id: string) => join(missionPath(id), 'session.json')
  const endedPath = (id: string) => join(missionPath(id), 'ended')

  async function readJson<T>(path: string, schema: z.ZodType<T>) {
    const file = await readStart(path, stateMost)
    return file && schema.parse(JSON.parse(file.text))
  }

  return {
    tree: (missionId: string) => join(missionPath(missionId), 'tree'),
    read: (id: string) => readJson(path(id), OrderFile),
    write: (order: OrderFile) => writeWhole(path(order.id), JSON.stringify(order)),
    answers: async (id: string) => (await readJson(answersPath(id), z.array(AgentAnswer))) ?? [],
    answer: (id: string, answers: readonly AgentAnswer[]) =>
      writeWhole(answersPath(id), JSON.stringify(answers)),
    /** Id of the agent's own session in a mission; null: none yet. */
    session: (missionId: string) => readJson(sessionPath(missionId), z.string()),
    keepSession: (missionId: string, id: string) =>
      writeWhole(sessionPath(missionId), JSON.stringify(id)),
    async ofMission(missionId: string): Promise<OrderFile[]> {
      const names = await readdir(orders).catch(() => [])
      const ids = names.flatMap((name) => /^([\w-]{1,80})\.json$/.exec(name)?.[1] ?? [])
      const all = await Promise.all(ids.map((id) => readJson(path(id), OrderFile)))
      return all.filter((order) => order !== null && order.missionId === missionId) as OrderFile[]
    },
    /** Removes the tasks of an ended mission; its checkout stays for a while, with its branch. */
    async end(missionId: string) {
      for (const { id } of await this.ofMission(missionId))
        for (const one of [path(id), answersPath(id)]) await rm(one, { force: true })
      if (await stat(missionPath(missionId)).catch(() => null))
        await writeWhole(endedPath(missionId), '')
    },
    /** Removes missions that ended long ago. */
    async tidy(now: number) {
      const missions = join(folder, 'missions')
      for (const id of await readdir(missions).catch(() => [])) {
        const ended = await stat(endedPath(id)).catch(() => null)
        if (ended !== null && now - ended.mtimeMs > keptMs)
          await rm(missionPath(id), { recursive: true, force: true })
      }
    },
  }
}

export const ownProcess = async (): Promise<Process> => ({
  pid: process.pid,
  birth: await birthOf(process.pid),
})

/** True if the process runs on this machine. */
export async function isAlive({ pid, birth }: Process): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return (await birthOf(pid)) === birth
}
