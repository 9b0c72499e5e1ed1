import { asksWho } from '../commands/audit.ts'
import type { CommandContext, CommandResult, RunControl } from '../commands/command.ts'
import { asksHelp } from '../commands/command-from-table.ts'
import type { Commands } from '../commands/registry.ts'
import { goalIn } from '../commands/task.ts'
import type { AuditEntry } from '../domain/audit.ts'
import type { InboundEvent } from '../domain/event.ts'
import { deriveId } from '../domain/id.ts'
import type { Message } from '../domain/message.ts'
import type { Run } from '../domain/run.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import {
  answerWith,
  type Handler,
  needing,
  personOf,
  type TurnContext,
  tellPrivately,
} from './context.ts'
import { editPlan } from './edit-plan.ts'
import { answerThere, decided, offeredBy, takenBy } from './offers.ts'
import { resume } from './resume.ts'

/**
 * R1: text that starts with `/` takes this way, without a model; a question that is open stays open
 * (R18).
 */
export function commandHandler(
  commands: Pick<Commands, 'parse'>,
  verbs: Readonly<Record<'beginAgain' | 'cancel' | 'decide' | 'retry', Handler>>,
): Handler {
  return needing('command', async (turn) => {
    const { content, whose } = turn.entry.event
    const isPressed = whose.way === 'pressed'
    if (content.kind !== 'message') return null
    // C445: who is told to write `help` writes it into the thread, without a mention.
    const isOffered = !content.forSomeoneElse && asksHelp(turn.text.replaceAll('`', ''))
    const words = asksWho(turn.text) ? '/audit' : turn.text
    const invocation = commands.parse(isOffered ? '/help' : words, content)
    if (invocation === null) return null
    const goal = goalIn(turn.text)
    if (goal !== null) return await verbs.decide.take({ ...turn, text: goal })
    const offer = offeredBy(turn)
    const before = offer === null || !isPressed ? null : takenBy(turn, offer)
    if (before !== null) return tellPrivately(turn, turn.words.core.offerTaken(before), tooLate)
    const result = await invocation.run(contextOf(turn))
    if (result.control !== undefined) {
      const change = await press(turn, result.control, verbs)
      const isRefused = change?.create === undefined
      if (change === null || offer === null || !isPressed || isRefused) return change
      return mergeChanges(
        change,
        decided(turn, offer, turn.words.core.triedAgain(personOf(turn).name)),
      )
    }
    const outcome = { kind: 'command' as const, failed: result.ok ? undefined : (true as const) }
    if (result.private) return tellPrivately(turn, result.text, outcome, result)
    if (offer !== null && isPressed) return answerOffer(turn, offer, result)
    const settled = result.conversation
    return mergeChanges(
      answerWith(turn, result.text, outcome, result.offers),
      settled === undefined ? {} : strategyChosen(turn, settled),
      offer === null || !result.ok ? {} : decided(turn, offer, result.text),
    )
  })
}

function contextOf(turn: TurnContext): CommandContext {
  const { conversation } = turn.state
  const { event, messageId } = turn.entry
  return {
    workspace: conversation.address.workspace,
    channel: conversation.address.channel,
    conversationId: conversation.id,
    person: personOf(turn),
    whose: event.whose,
    locale: conversation.locale,
    // People who write “tomorrow at nine” mean their own nine.
    timeZone: event.timeZone ?? conversation.timeZone,
    zoneUnset: event.timeZone === undefined,
    source:
      messageId === null
        ? undefined
        : { kind: 'message', conversationId: conversation.id, messageId },
    now: turn.now,
    effectId: deriveId('x', turn.entry.id, 'command'),
  }
}

/** C711: the thread's own setting, with its row in the audit. */
function strategyChosen(
  turn: TurnContext,
  patch: NonNullable<CommandResult['conversation']>,
): ChangePart {
  const { id, address } = turn.state.conversation
  const by = personOf(turn).id
  const entry: AuditEntry = {
    version: 1,
    workspace: address.workspace,
    thread: id,
    by,
    kind: 'kept',
    what: 'setting',
    scope: `thread:${id}`,
    id: 'strategy',
    change: patch.strategy ?? 'default',
    effect: deriveId('x', turn.entry.id, 'command'),
  }
  return { conversation: { id, patch }, audit: [{ entry }] }
}

const tooLate = { kind: 'ignored', reason: 'already_answered' } as const

/**
 * C166: marks the offer as decided in its message. A press that comes too late is answered
 * privately.
 */
function answerOffer(turn: TurnContext, offer: Message, result: CommandResult): ChangePart {
  if (result.ok) return answerThere(turn, offer, result)
  return mergeChanges(
    tellPrivately(turn, result.text, tooLate),
    result.decided === true ? decided(turn, offer, result.text) : {},
  )
}

/**
 * `/task cancel 2` is what the button under task 2 does, and `/task skip 3` what the page's editor
 * does, for those who may.
 */
async function press(
  turn: TurnContext,
  control: RunControl,
  { beginAgain, cancel, retry }: Parameters<typeof commandHandler>[1],
): Promise<ChangePart | null> {
  const { run, ...pressed } = control
  const runId = run.id
  if (pressed.action === 'plan') {
    const { seen, steps } = pressed
    return await editPlan.take(asPressed(turn, run, { kind: 'plan_edit', runId, seen, steps }))
  }
  if (pressed.action === 'again') {
    const { step, isSure } = pressed
    return await beginAgain.take(asPressed(turn, run, { kind: 'again', runId, step, isSure }))
  }
  const { action } = pressed
  const content = { kind: 'control' as const, action, runId }
  return await { cancel, continue: resume, retry }[action].take(asPressed(turn, run, content))
}

/** The turn as if that had been done instead of said. */
const asPressed = (turn: TurnContext, run: Run, content: InboundEvent['content']): TurnContext => ({
  ...turn,
  text: '',
  namedRun: run,
  entry: { ...turn.entry, event: { ...turn.entry.event, content } },
})
