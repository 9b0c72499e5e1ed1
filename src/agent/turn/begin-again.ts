import type { AskingDeps } from '../asking.ts'
import { shownPlan } from '../domain/progress.ts'
import { hasEnded, isUnattended, mayBeginAgain, type Run } from '../domain/run.ts'
import type { Observation, Task } from '../domain/task.ts'
import { callLines, effectsAmong } from '../drive/effects.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { createRuns } from '../kernel/create-run.ts'
import { type Restart, restartAt } from '../strategies/rewind.ts'
import { retryOf } from './carry-on.ts'
import {
  answerWith,
  type Handler,
  needing,
  personOf,
  statusOf,
  type TurnContext,
  tellPrivately,
} from './context.ts'

/**
 * C251: a run that has ended, or is paused, begins again at a step of its plan, as a new run; the
 * old one stays as it is. What would be done a second time outside is said first, and a person has
 * to say yes.
 */
export const beginAgainHandler = ({ store: { runs }, toolbox }: AskingDeps): Handler =>
  needing('start', async (turn) => {
    const { content } = turn.entry.event
    if (content.kind !== 'again') return null
    const { namedRun: parent, words } = turn
    const { again } = words.core
    const tell = (text: string) => tellPrivately(turn, text)
    if (parent === null) return tell(words.core.runNotFound)
    if (!mayBeginAgain(parent))
      return tell(hasEnded(parent.status) ? again.noPlan(parent.title) : again.notNow(parent.title))
    // Two people press it: the first one's is the one.
    if (await turn.isTried(parent)) return tell(words.core.startedOverAlready(parent.title))
    const { workspace, id } = parent
    const [state, trace] = await Promise.all([runs.state(workspace, id), runs.trace(workspace, id)])
    const start = restartAt(state?.task ?? null, trace, content.step)
    if (!start.ok)
      return tell(start.last === null ? again.noPlan(parent.title) : again.notBegun(start.last))
    const twice = content.isSure ? [] : effectsAmong(start.undone, parent, toolbox)
    return twice.length > 0
      ? askFirst(turn, parent, start, twice)
      : begun(turn, parent, { ...start, isDone: isDoneIn(state?.task ?? null, start.step) })
  })

type Start = Extract<Restart, { ok: true }>

function askFirst(
  turn: TurnContext,
  { id, title }: Run,
  { step, text }: Start,
  twice: readonly Observation[],
) {
  const { again } = turn.words.core
  const command = `/task again ${id.replace('_', '')} ${step} --yes`
  const lines = [
    again.repeats(title, step, text),
    ...callLines(twice, turn.words.core),
    '',
    again.honest,
  ]
  return answerWith(turn, lines.join('\n'), { kind: 'command' }, [{ label: again.button, command }])
}

/** True if the step with this number was done before. */
const isDoneIn = (task: Task | null, step: number) =>
  task !== null && shownPlan(task).items[step - 1]?.done === true

function begun(turn: TurnContext, parent: Run, start: Start & { isDone: boolean }): ChangePart {
  const { step, task, trace } = start
  const by = personOf(turn)
  const run: Run = { ...retryOf(turn, parent), from: { step, by } }
  const { again } = turn.words.core
  return mergeChanges(
    {
      expect: [statusOf(parent)],
      begins: { runId: run.id, task: { ...task, unattended: isUnattended(run) } },
    },
    createRuns(turn.state.conversation.id, [run], turn.now),
    ...trace.map(({ at, what }) => traced(run.id, at, what)),
    answerWith(turn, again.begun(by.name, parent.title, start), { kind: 'command' }),
  )
}
