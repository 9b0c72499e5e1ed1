import { z } from 'zod'
import { isRecord } from '../contracts/forgiving.ts'
import type { Installation, Place, ToolCard } from '../contracts/input.ts'
import { Limits } from '../domain/budget.ts'
import { Feedback } from '../domain/feedback.ts'
import { rightMost } from '../domain/feedback-reasons.ts'
import type { Author } from '../domain/message.ts'
import { Overheard } from '../domain/overheard.ts'
import { Run } from '../domain/run.ts'
import { withStandIns } from '../domain/stand-ins.ts'
import { Observation, type Task } from '../domain/task.ts'
import { approvals, effects, type Tool } from '../ports/tool.ts'

/**
 * A run that somebody kept to try again (C732): what its requests are made of, the answers that its
 * tools and people gave, its report, what was wrong with it and what would be right. Without names.
 */
export const KeptTest = z.object({
  version: z.literal(1),
  kind: z.literal('test'),
  /** What would be right, in lines (`checksOf`). */
  right: z.string(),
  wrong: z.array(Feedback.pick({ reason: true, words: true })),
  report: z.string(),
  run: Run,
  limits: Limits,
  surroundings: z.object({
    locale: z.string(),
    timeZone: z.string(),
    threadTokens: z.number(),
    place: z.custom<Place>(isRecord).nullable(),
    installation: z.custom<Installation>(isRecord),
    overheard: z.array(Overheard),
  }),
  tools: z.array(
    z.object({
      card: z.custom<ToolCard>(isRecord),
      effect: z.enum(effects),
      approval: z.enum(approvals).optional(),
    }),
  ),
  calls: z.array(Observation.pick({ tool: true, input: true, ok: true, result: true })),
  /** Words of people; `question`: null where nobody had asked. */
  answers: z.array(z.object({ question: z.string().nullable(), text: z.string() })),
})
export type KeptTest = z.infer<typeof KeptTest>

/** Where kept tests are written. */
export interface KeptTests {
  /** Writes a test; one of the same run before it is replaced. */
  keep(test: KeptTest): Promise<void>
}

interface Parts extends Pick<KeptTest, 'right' | 'surroundings'> {
  run: Run
  task: Task
  tools: readonly Tool[]
}

/**
 * Makes a test of a run that has ended. The Decision before it is not in it: the loop makes its
 * calls itself.
 */
export function keptTest({ run, task, tools, right, surroundings }: Parts): KeptTest {
  const { feedback = [], first: _, ...row } = run
  const test: KeptTest = {
    version: 1,
    kind: 'test',
    right: right.trim().slice(0, rightMost),
    wrong: feedback.filter(({ good }) => !good).map(({ reason, words }) => ({ reason, words })),
    report: run.result ?? run.error ?? '',
    run: {
      ...row,
      input: { ...row.input, goal: task.goal, strategy: strategyIn(task) },
      status: 'running',
      endedAt: null,
      result: null,
      error: null,
      attempts: 0,
    },
    limits: task.limits,
    surroundings,
    tools: tools.map(({ effect, approval, ...tool }) => ({ card: cardIn(tool), effect, approval })),
    calls: task.observations.map(({ tool, input, ok, result }) => ({ tool, input, ok, result })),
    answers: task.clarifications.map(({ question, text }) => ({ question, text })),
  }
  return KeptTest.parse(withStandIns(test, peopleIn(run, task, surroundings.overheard)))
}

const strategyIn = (task: Task) => (task.strategy === 'custom' ? task.name : task.strategy)

const cardIn = ({ name, description, origin, fields }: Omit<Tool, 'effect'>): ToolCard => ({
  name,
  description,
  origin,
  fields,
})

function peopleIn(run: Run, task: Task, overheard: readonly Overheard[]): Author[] {
  const all = [
    run.requestedBy,
    run.schedule?.createdBy,
    run.from?.by,
    ...(run.feedback ?? []).map(({ author }) => author),
    ...task.clarifications.map(({ author }) => author),
    ...overheard.map(({ author }) => author),
  ]
  return all.filter((one) => one != null)
}
