import type { Commands } from '../commands/registry.ts'
import { deriveId } from '../domain/id.ts'
import type { Run } from '../domain/run.ts'
import { type ChangePart, mergeChanges } from '../kernel/change.ts'
import { cancel } from './cancel.ts'
import { answerWith, type Handler, personOf, type TurnContext, tellPrivately } from './context.ts'
import { resume, retry } from './resume.ts'

/** R1: text that starts with `/` takes this way, without a model; a question that is open stays open (R18). */
export function commandHandler(commands: Pick<Commands, 'parse'>): Handler {
  return async (turn) => {
    const { content } = turn.entry.event
    if (content.kind !== 'message') return null
    const invocation = commands.parse(turn.text, { addressed: content.addressed })
    if (invocation === null) return null
    const { conversation } = turn.state
    const result = await invocation.run({
      workspace: conversation.address.workspace,
      channel: conversation.address.channel,
      conversationId: conversation.id,
      person: personOf(turn),
      locale: conversation.locale,
      // Whoever writes “tomorrow at nine” means their own nine.
      timeZone: turn.entry.event.timeZone ?? conversation.timeZone,
      ...(turn.entry.messageId === null
        ? {}
        : { source: { kind: 'message', conversationId: conversation.id, messageId: turn.entry.messageId } }),
      now: turn.now,
      effectId: deriveId('x', turn.entry.id, 'command'),
    })
    if (result.control !== undefined) return await press(turn, result.control)
    if (result.private) return tellPrivately(turn, result.text, { kind: 'command' })
    const settled = result.conversation
    return mergeChanges(
      answerWith(turn, result.text, { kind: 'command' }, result.offers),
      settled === undefined ? {} : { conversation: { id: conversation.id, patch: settled } },
    )
  }
}

/** `/task cancel 2` is what the button under task 2 does, for whoever may press it. */
async function press(
  turn: TurnContext,
  { action, run }: { action: 'cancel' | 'continue' | 'retry'; run: Run },
): Promise<ChangePart | null> {
  const content = { kind: 'control' as const, action, runId: run.id }
  const pressed = {
    ...turn,
    text: '',
    namedRun: run,
    entry: { ...turn.entry, event: { ...turn.entry.event, content } },
  }
  return await { cancel, continue: resume, retry }[action](pressed)
}
