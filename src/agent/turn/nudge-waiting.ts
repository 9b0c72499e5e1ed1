import { texts } from '../../locales/texts.ts'
import { deriveId } from '../domain/id.ts'
import { isQuiet } from '../domain/quiet.ts'
import { ownerOf } from '../domain/run.ts'
import { mergeChanges } from '../kernel/change.ts'
import { type Idle, idle } from '../kernel/idle.ts'
import { calling, postMessage, runOrigin } from '../kernel/messages.ts'
import { isWorkingTime, nextTime, type Reminder } from '../kernel/questions.ts'
import type { Work } from '../kernel/verb.ts'
import type { Clock } from '../ports/clock.ts'
import type { ConversationState } from '../ports/store.ts'
import { hoursFor, type QuietStore } from '../quiet-hours.ts'

export interface RemindDeps {
  clock: Clock
  reminder: Reminder
  quiet: Pick<QuietStore, 'of'>
  since: number
}

/** Within this time of its start a process has read what was said before (C279). */
const catchUpMs = 10 * 60_000

/**
 * Reminds once, within working hours and outside of quiet ones (C490), of a question that has
 * waited long enough, and of a task that is paused (C191); it is never answered by itself. A
 * reminder that was missed waits for the next of them.
 */
export async function remind(
  deps: RemindDeps,
  { commit }: Work,
  { conversation, questions, foreground }: ConversationState,
): Promise<Idle> {
  const { remindAt, id, locale } = conversation
  if (remindAt === null) return idle
  const now = deps.clock.now()
  if (remindAt > now) return { kind: 'wakeAt', at: remindAt }
  const isMissed = remindAt < deps.since
  const from = isMissed ? Math.max(now, deps.since + catchUpMs) : now
  const [open] = questions
  const paused = open === undefined && foreground?.status === 'paused' ? foreground : undefined
  const to = open?.owner ?? (paused ? ownerOf(paused) : null)
  const quiet = await hoursFor(deps.quiet, conversation.address, to?.id ?? null)
  const isLoud = (at: number) => !quiet.some((hours) => isQuiet(hours, at))
  const isWork = (at: number) => isWorkingTime(at, deps.reminder.hours, conversation.timeZone)
  const due = nextTime(from, (at) => isWork(at) && isLoud(at))
  const isTime = due === now
  const about = isTime ? (open ?? paused) : undefined
  const { core } = texts(locale)
  const line =
    about === undefined
      ? {}
      : postMessage(
          calling(runOrigin(open?.runId ?? about.id, id, now), to),
          open === undefined ? `reminder:${remindAt}` : `reminder:${open.id}`,
          open === undefined ? core.pausedReminder(paused?.title ?? '') : core.reminder(open.text),
        )
  const change = mergeChanges(line, {
    conversationId: id,
    conversation: { id, patch: { remindAt: isTime ? null : due } },
    expect: [{ kind: 'question_count', conversationId: id, count: questions.length }],
  })
  await commit(change, { id: deriveId('k', deriveId('k', id, String(remindAt))), at: now })
  return idle
}
