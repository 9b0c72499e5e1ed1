import type { AskingDeps } from '../asking.ts'
import { askCard } from '../contracts/calls.ts'
import { isUnattended, mayBeginAgain, type Run } from '../domain/run.ts'
import type { Observation } from '../domain/task.ts'
import { askingOf } from '../drive/calls.ts'
import { type ChangePart, mergeChanges, traced } from '../kernel/change.ts'
import { createRuns } from '../kernel/create-run.ts'
import { type Restart, restartAt } from '../strategies/rewind.ts'
import { finder } from '../tools/find-tool.ts'
import type { Toolbox } from '../tools/registry.ts'
import {
  answerWith,
  type Handler,
  needing,
  personOf,
  statusOf,
  type TurnContext,
  tellPrivately,
} from './context.ts'
import { retryOf } from './resume.ts'

/** So many calls are named, each with so much of its input. */
const named = { calls: 8, characters: 120 }

/**
 * C251: a run that has ended, or is paused, begins again at a step of its plan, as a new run; the old one stays as it is. What
 * would be done a second time outside is said first, and a person has to say yes.
 */
export const beginAgainHandler = ({
  store: { runs },
  toolbox,
}: Pick<AskingDeps, 'store' | 'toolbox'>): Handler =>
  needing('start', async (turn) => {
    const { content } = turn.entry.event
    if (content.kind !== 'again') return null
    const { namedRun: parent, words } = turn
    const { again } = words.core
    const tell = (text: string) => tellPrivately(turn, text)
    if (parent === null) return tell(words.core.runNotFound)
    if (!mayBeginAgain(parent)) return tell(again.notNow(parent.title))
    // Two people press it: the first one's is the one.
    if (await turn.isTried(parent)) return tell(words.core.startedOverAlready(parent.title))
    const { workspace, id } = parent
    const [state, trace] = await Promise.all([runs.state(workspace, id), runs.trace(workspace, id)])
    const start = restartAt(state?.task ?? null, trace, content.step)
    if (!start.ok)
      return tell(start.last === null ? again.noPlan(parent.title) : again.notBegun(start.last))
    const twice = content.isSure
      ? []
      : start.undone.filter((call) => isOutside(call, parent, toolbox))
    return twice.length > 0 ? askFirst(turn, parent, start, twice) : begun(turn, parent, start)
  })

type Start = Extract<Restart, { ok: true }>

/** It took effect, or may have; a tool that is not there any more may have any. */
function isOutside({ tool, input, ok, unknown }: Observation, run: Run, toolbox: Toolbox): boolean {
  if ((!ok && unknown !== true) || ['recall', finder, askCard.name].includes(tool)) return false
  const known = toolbox.get(tool, askingOf(run))
  return known === null || (known.effect !== 'none' && known.looks?.(input) !== true)
}

function askFirst(
  turn: TurnContext,
  { id, title }: Run,
  { step, text }: Start,
  twice: readonly Observation[],
) {
  const { again } = turn.words.core
  const calls = twice.slice(0, named.calls).map(({ tool, input }) => {
    const line = input.replaceAll(/\s+/g, ' ').trim()
    return again.call(
      tool,
      line.length > named.characters ? `${line.slice(0, named.characters)}…` : line,
    )
  })
  const more = twice.length > calls.length ? [again.more(twice.length - calls.length)] : []
  const command = `/task again ${id.replace('_', '')} ${step} --yes`
  const lines = [again.repeats(title, step, text), ...calls, ...more, '', again.honest]
  return answerWith(turn, lines.join('\n'), { kind: 'command' }, [{ label: again.button, command }])
}

function begun(turn: TurnContext, parent: Run, { step, text, task, trace }: Start): ChangePart {
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
    answerWith(turn, again.begun(by.name, parent.title, step, text), { kind: 'command' }),
  )
}
