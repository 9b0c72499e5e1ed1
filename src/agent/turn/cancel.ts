import type { AskingDeps } from '../asking.ts'
import { cutOff } from '../domain/audit-rows.ts'
import { progressOf } from '../domain/progress.ts'
import { hasEnded, ownerOf, type Run } from '../domain/run.ts'
import type { Task } from '../domain/task.ts'
import { callLines, effectsAmong } from '../drive/effects.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { endedRow, endRun, markOf } from '../kernel/end-run.ts'
import { runOrigin } from '../kernel/messages.ts'
import { choiceIn } from '../said/choice.ts'
import { type StopOrder, stopOrderIn } from '../said/stop.ts'
import { shownName } from '../shown-name.ts'
import {
  answerWith,
  type Handler,
  joined,
  marked,
  needing,
  personOf,
  statusOf,
  type TurnContext,
  tellPrivately,
  withAttachments,
} from './context.ts'
import { joinable } from './join.ts'
import { type ElsewhereDeps, stopElsewhere, stopOffer } from './stop-elsewhere.ts'

export interface CancelDeps extends ElsewhereDeps, Pick<AskingDeps, 'toolbox'> {}

/**
 * Stops a task and says by whom and how far it was (R104, R151, C333). The run's fence is raised in
 * the same commit, so the worker that has it can write nothing more and its one terminal message is
 * this one.
 */
export const cancelHandler = (deps: CancelDeps): Handler =>
  needing('stop', async (turn) => {
    const { content } = turn.entry.event
    if (content.kind === 'control' && content.action === 'cancel') return await byClick(deps, turn)
    if (content.kind !== 'message' || turn.meant === 'others') return null
    // A choice of the open question is its answer, whatever else it says (C332).
    const [open] = turn.state.questions
    if (open !== undefined && isNamed(open.choices, turn.text)) return null
    const order = stopOrderIn(turn.text, namesIn(turn))
    return order === null ? null : await byWords(deps, turn, order)
  })

const isNamed = (choices: readonly string[], text: string) =>
  choiceIn(choices, text)?.kind === 'choice'

const namesIn = ({ state }: TurnContext) =>
  state.messages.flatMap(({ author }) => (author === null ? [] : [author.name]))

async function byClick(deps: CancelDeps, turn: TurnContext): Promise<ChangePart> {
  const { namedRun: run, words } = turn
  if (run === null) return tellPrivately(turn, words.core.runNotFound)
  const { conversationId } = run
  if (conversationId !== null && conversationId !== turn.state.conversation.id)
    return (await stopElsewhere(deps, turn, run)) ?? {}
  if (hasEnded(run.status))
    return tellPrivately(turn, words.core.alreadyEnded(run.title, words.task.statuses[run.status]))
  return await stopped(deps, turn, run)
}

async function byWords(
  deps: CancelDeps,
  turn: TurnContext,
  order: StopOrder,
): Promise<ChangePart | null> {
  if (turn.passed.length > 0) return order === 'doubtful' ? null : calledOff(turn)
  const run = current(turn)
  if (run === null) return await nothingHere(deps, turn, order)
  const isAsked = turn.state.questions.length > 0
  const isPlain =
    order === 'stop' ||
    (order === 'drop' && (isAsked || turn.meant === 'clew')) ||
    (order === 'hold' && !isAsked && turn.meant === 'clew')
  // Nothing goes on that such words could mean.
  if (order !== 'stop' && run.status === 'paused' && !isAsked) return null
  return isPlain ? await stopped(deps, turn, run) : askWhether(turn, run, order)
}

/**
 * Words that may be the order and may not: the task hears what more they say, and a button stops it
 * (C330).
 */
function askWhether(turn: TurnContext, run: Run, order: StopOrder): ChangePart | null {
  // Talk that says more is judged by a model.
  if (order === 'doubtful' && turn.meant !== 'clew') return null
  const { core, slack } = turn.words
  const heard =
    order === 'doubtful' && joinable(turn)?.id === run.id
      ? joined(turn, run, withAttachments(turn))
      : {}
  const offer = stopOffer(run, slack.stop)
  return mergeChanges(heard, answerWith(turn, core.stopIt(run.title), undefined, [offer]))
}

async function nothingHere(deps: CancelDeps, turn: TurnContext, order: StopOrder) {
  // “Wait a moment” means what is here, and may begin a request.
  if (order === 'doubtful' || order === 'hold' || turn.meant !== 'clew') return null
  const there = await stopElsewhere(deps, turn)
  if (there !== null || order !== 'stop') return there
  const { foreground } = turn.state
  const isLate = foreground?.endedAt != null && foreground.endedAt > turn.entry.event.at
  const { core } = turn.words
  return answerWith(turn, isLate ? core.endedBefore : core.nothingToCancel)
}

/** Ends a run, and the runs that were to follow it. */
export async function stopped(
  deps: CancelDeps,
  turn: TurnContext,
  run: Run,
  begin?: string,
): Promise<ChangePart> {
  const { now: at, reminder } = turn
  const { id } = turn.state.conversation
  const by = personOf(turn).id
  const others = followers(turn, run)
  const task = (await deps.store.runs.state(run.workspace, run.id))?.task ?? null
  const text = report(deps, turn, run, { task, others, begin })
  return mergeChanges(
    { expect: [statusOf(run)] },
    adopted(turn, run),
    endRun(run, turn.state, { status: 'canceled', text, at, by, reminder }),
    { audit: task === null ? [] : cutOff(run, task) },
    // C146: one line for all of them.
    ...others.flatMap((one) => [
      endedRow(one, { status: 'canceled', text: '', at }),
      markOf(one, runOrigin(one.id, id, at), 'canceled'),
    ]),
    // Of the runs that end here this is the one that the thread shows.
    { progress: run.id },
    marked(turn),
  )
}

/** C343: ends a run that has shown and done nothing yet, without a word. */
export const dropped = (turn: TurnContext, run: Run): ChangePart =>
  mergeChanges(
    { expect: [statusOf(run)], progress: run.id },
    ...[run, ...followers(turn, run)].map((one) =>
      endedRow(one, { status: 'canceled', text: '', at: turn.now }),
    ),
    marked(turn),
  )

/** C333: by whom, how far it was, what ends with it, and what it did outside. */
function report(
  { toolbox }: CancelDeps,
  turn: TurnContext,
  run: Run,
  { task, others, begin }: { task: Task | null; others: readonly Run[]; begin: string | undefined },
): string {
  const { core } = turn.words
  const { done, items } = progressOf(run, task)
  const by = personOf(turn)
  const head = begin ?? core.stopped(shownName(by.name), ownerOf(run)?.id === by.id)
  const far = items.length === 0 ? [] : [core.stoppedAt(done, items.length)]
  const too = others.length === 0 ? [] : [core.canceledToo(others.map(({ title }) => title))]
  const effects = effectsAmong(task?.observations ?? [], run, toolbox)
  const stays = effects.length === 0 ? [] : ['', core.staysDone, ...callLines(effects, core)]
  return [[head, ...far, ...too].join(core.between), ...stays].join('\n')
}

/**
 * R105, R106: a run without a thread ends in the one where it is stopped; one that was opened for
 * that is named after it.
 */
function adopted(
  { entry, state, words }: TurnContext,
  { id: runId, title, conversationId }: Run,
): ChangePart {
  if (conversationId !== null) return {}
  const { id, title: known } = state.conversation
  const named = {
    conversation: { id, patch: { title: words.core.titleCanceled(title), lastReadAt: null } },
  }
  return {
    runs: [{ id: runId, patch: { conversationId: id } }],
    ...(known === '' && entry.messageId === null ? named : {}),
  }
}

/** C92: drops messages that wait for the model ahead of this one. Their edits stay in line. */
function calledOff(turn: TurnContext): ChangePart {
  const waiting = [...turn.passed.entries()].filter(
    ([, { event }]) => event.content.kind === 'message',
  )
  return mergeChanges(
    {
      drop: waiting.map(([at]) => at),
      conversation: { id: turn.state.conversation.id, patch: { waiting: null } },
    },
    answerWith(turn, turn.words.core.calledOff(shownName(personOf(turn).name))),
    ...waiting.map(([, entry]) => marked({ ...turn, entry })),
  )
}

/** R120: runs of the same turn that were to come after it. */
function followers(turn: TurnContext, run: Run): Run[] {
  const direct = turn.runs.filter((one) => one.afterRunId === run.id && one.status === 'queued')
  return direct.flatMap((one) => [one, ...followers(turn, one)])
}

/** The foreground run if it still goes on, else the newest one that does. */
function current(turn: TurnContext): Run | null {
  const { foreground } = turn.state
  if (foreground !== null && !hasEnded(foreground.status)) return foreground
  return turn.runs.find((run) => !hasEnded(run.status)) ?? null
}
