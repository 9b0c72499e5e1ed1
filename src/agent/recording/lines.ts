import { z } from 'zod'
import { isRecord } from '../contracts/forgiving.ts'
import { contractNames } from '../contracts.ts'
import { jsonIn } from '../domain/clean-text.ts'
import { endsShared } from '../domain/ends-shared.ts'
import { Run } from '../domain/run.ts'
import type { PromptLayout } from '../model/rules.ts'
import type { Recordable } from './tape.ts'

/**
 * Settings that turns and runs go by, and their model's name; whatever else they use answers on the
 * tape.
 */
export const keptOf = ({ model, coding, library, team, profileIn, ...deps }: Recordable) => ({
  model: { name: model.name, ...(model.image && { image: model.image }) },
  settings: {
    admins: deps.admins ?? [],
    defaults: deps.defaults,
    followUp: deps.followUp,
    installation: deps.installation,
    interrupt: deps.interrupt,
    limits: deps.limits,
    onPause: deps.onPause,
    planFirst: deps.planFirst,
    reminder: deps.reminder,
    strategy: deps.strategy,
    threadTokens: deps.threadTokens,
    toolTimeoutMs: deps.toolTimeoutMs,
    unattendedQuestionMs: deps.unattendedQuestionMs,
    usage: deps.usage,
    whoMayAnswer: deps.whoMayAnswer,
  },
  turns: {
    allowedTypes: deps.allowedTypes,
    answersTo: deps.answersTo,
    beginsWork: deps.beginsWork ?? false,
    loopEnabled: deps.loopEnabled,
    since: deps.since,
    timeoutMs: deps.timeoutMs,
  },
  coding: coding && { pollMs: coding.pollMs, timeoutMs: coding.timeoutMs },
  library: library?.names,
  hasTeam: team !== undefined,
  hasProfiles: profileIn !== undefined,
  hasTests: deps.tests !== undefined,
})
type Added = 'hasProfiles' | 'hasTests' | 'turns'
/** Recordings of earlier versions are of runs, and lack what was added since. */
export type Kept = Omit<ReturnType<typeof keptOf>, Added> &
  Partial<Pick<ReturnType<typeof keptOf>, Added>> & { layout: PromptLayout }

/** Lines of one hold have one name: work that was taken over goes on in the same file. */
const hold = { hold: z.string() }
const numbered = { ...hold, name: z.string(), n: z.int().nonnegative() }

/** A line of a recording. */
export const Line = z.discriminatedUnion('kind', [
  /** Beginning of a hold on a thread, whose turns follow. */
  z.object({
    ...hold,
    kind: z.literal('thread'),
    version: z.literal(1),
    id: z.string(),
    workspace: z.string(),
    kept: z.custom<Kept>(isRecord),
  }),
  /**
   * Beginning of a hold on a run. `begun`: the run's row where it was made by the process that
   * holds it.
   */
  z.object({
    ...hold,
    kind: z.literal('run'),
    version: z.literal(1),
    id: z.string(),
    workspace: z.string(),
    begun: Run.nullable(),
    kept: z.custom<Kept>(isRecord),
  }),
  /**
   * Request: its text, without what its beginning and end share with the last one of its contract
   * in the same hold.
   */
  z.object({
    ...hold,
    kind: z.literal('request'),
    n: z.int().nonnegative(),
    contract: z.enum(contractNames),
    head: z.int(),
    tail: z.int(),
    text: z.string(),
  }),
  z.object({ ...numbered, kind: z.literal('answer'), is: z.unknown().optional() }),
  z.object({ ...numbered, kind: z.literal('failure'), error: z.looseObject({}) }),
  /** Answer that was there at once, of this call on. */
  z.object({ ...numbered, kind: z.literal('value'), is: z.unknown().optional() }),
  z.object({ ...hold, kind: z.literal('event'), name: z.string() }),
  z.object({ ...hold, kind: z.literal('end') }),
])
export type Line = z.infer<typeof Line>
type Ask = Extract<Line, { kind: 'request' }>

/** Part of a text that it does not share with the one before it. */
export function newIn(before: string, text: string): Pick<Ask, 'head' | 'tail' | 'text'> {
  const { head, tail } = endsShared(before, text)
  return { head, tail, text: text.slice(head, text.length - tail) }
}

/** The whole text again. */
export const wholeOf = (before: string, { head, tail, text }: ReturnType<typeof newIn>): string =>
  before.slice(0, head) + text + before.slice(before.length - tail)

/** A recording that cannot be read, in a sentence. */
class UnreadableRecording extends Error {
  readonly code = 'unreadable_recording'
}

/**
 * Returns the lines of a recording by hold, in order. A line that a kill cut off is passed over:
 * nothing of its hold follows it.
 *
 * @throws UnreadableRecording for a line that no Clew wrote, or a newer one.
 */
export function readRecording(text: string): Line[][] {
  const rows = text.split('\n').filter((row) => row !== '')
  const lines = rows.flatMap((row, at) => {
    const value = jsonIn(row)
    const read = Line.safeParse(value)
    if (read.success) return read.data
    const next = at + 1 < rows.length ? Line.safeParse(jsonIn(rows[at + 1] ?? '')).data : null
    if (!isRecord(value) && (next === null || next?.kind === 'run' || next?.kind === 'thread'))
      return []
    throw new UnreadableRecording(
      `line ${at + 1} is none of a recording of this version of Clew: replay it with the version that wrote it`,
    )
  })
  return [...Map.groupBy(lines, (line) => line.hold).values()]
}
