import { appendFileSync } from 'node:fs'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import type { TestClew } from '../../support/agent.ts'

/** Parts of the stories in which models fail at random; `npm run soak -- models` plays them longer than the tests do. */

const failuresInAll = Number(process.env.CLEW_MODEL_FAILURES ?? 40)
export const failuresEach = Math.min(500, failuresInAll)
export const parts = Array.from(
  { length: Math.ceil(failuresInAll / failuresEach) },
  (_, part) => part,
)
const tasksAtOnce = failuresInAll > 1_000 ? 40 : 12
export const seed = Number(process.env.CLEW_SOAK_SEED ?? 1)

/** Every effect that there was. One call may be made again after a crash, with its id; any other is an effect of its own. */
export function recordingTool(): { tool: Tool; effects: Map<string, string> } {
  const effects = new Map<string, string>()
  const tool: Tool = {
    name: 'ledger',
    effect: 'keyed',
    description: 'Writes a line into the ledger.',
    async run(input, { effectId }) {
      effects.set(effectId, input)
      return { ok: true, text: `Noted: ${input}.` }
    },
  }
  return { tool, effects }
}

const isOver = (texts: readonly string[]) => texts.some((text) => text.includes('is done.'))

/** Asks again after an apology, and says "continue" at a pause; once for each. */
async function tend(clew: TestClew, id: string, done: Map<string, number>): Promise<void> {
  const texts = clew.texts(id)
  const calls = texts.filter((text) => /^Sorry/.test(text) || text.includes('`continue`'))
  const last = calls.at(-1)
  if (last === undefined || calls.length <= (done.get(id) ?? 0)) return
  done.set(id, calls.length)
  await clew.say(/^Sorry/.test(last) ? `Do ${id}` : 'continue', { thread: id })
}

/** Starts tasks until there were enough failures, through crashes and with somebody who asks on, and waits for all of them. */
export async function playTasks(clew: TestClew, failures: () => number) {
  const tasks: string[] = []
  const tended = new Map<string, number>()
  for (let rounds = 0; rounds < 2_000; rounds++) {
    const open = tasks.filter((id) => !isOver(clew.texts(id)))
    if (failures() >= failuresEach && open.length === 0) break
    const more = failures() >= failuresEach ? 0 : tasksAtOnce - open.length
    for (let n = 0; n < more; n++) {
      const id = `T${tasks.length + 1}`
      tasks.push(id)
      await clew.say(`Do ${id}`, { thread: id })
    }
    await clew.idle()
    await clew.advance(40_000)
    if (rounds % 7 === 6) await clew.crash()
    for (const id of open) await tend(clew, id, tended)
  }
  const said = [...tended.values()].reduce((sum, count) => sum + count, 0)
  return { tasks, said }
}

/** Appends figures for the soak, which sums them up. */
export function tell(figures: Readonly<Record<string, number>>): void {
  if (process.env.CLEW_MODEL_FIGURES)
    appendFileSync(process.env.CLEW_MODEL_FIGURES, `${JSON.stringify(figures)}\n`)
}
