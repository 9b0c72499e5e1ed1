import { writeFileSync } from 'node:fs'
import { type LifeOptions, startLife } from './instance.ts'
import type { ChildMessage, ParentMessage, Report } from './messages.ts'
import type { Points } from './points.ts'

/*
 * One life of Clew in a process of its own. At its target it ends itself by SIGKILL: nothing runs after that, no handler,
 * no `finally`, no flush.
 */

const options = JSON.parse(process.env.CLEW_LIFE ?? '') as LifeOptions
const tell = (message: ChildMessage) => process.send?.(message)
let points: Points | null = null
/** Commits of a lease that was somebody else's by then. */
let fenced = 0

const death = {
  isDead: () => false,
  die(): Promise<never> {
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => {})
  },
  watch(point: string, answer: unknown) {
    if (point === 'commits.commit' && (answer as { kind: string }).kind === 'fenced') fenced += 1
  },
}
const life = await startLife(options, death, (made) => {
  points = made
})

process.on('exit', () => {
  const report: Report = { counts: [...(points?.counts() ?? [])], fenced }
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(report))
})
process.on('SIGTERM', async () => {
  await life.stop()
  process.exit(0)
})
process.on('disconnect', () => process.exit(3))
process.on('message', async (message: ParentMessage) => {
  try {
    tell({
      kind: 'taken',
      number: message.number,
      result: await life.clew.agent.intake(message.event),
    })
  } catch (error) {
    tell({ kind: 'refused', number: message.number, why: String(error) })
  }
})
tell({ kind: 'up', url: life.clew.url })
