import { slotAfter } from '../../schedules/recurrence.ts'
import { deadline } from './deadline.ts'
import type { TimeFrame } from './decide.ts'
import { plainLine } from './plain.ts'
import { readLine } from './read.ts'
import { leavesHalfOpen } from './words.ts'

/**
 * C901: instant that a time or rule means next whose words leave open the half of the day, such as
 * “half past four”; null where they do not, or are no time. `once`: a rule is none.
 */
export function openHalf(text: string, frame: TimeFrame, once = false): number | null {
  const line = deadline(text)
  const found = readLine(line, frame)
  if (found === null || !('when' in found) || found.rest !== '') return null
  if (!leavesHalfOpen(plainLine(line).run().said)) return null
  const { when, timeZone = frame.timeZone } = found
  return when.kind === 'event' || (once && when.kind !== 'once')
    ? null
    : slotAfter({ when, repeats: true, place: { timeZone } }, frame.now)
}
