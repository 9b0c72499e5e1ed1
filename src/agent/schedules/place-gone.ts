import { texts } from '../../locales/texts.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Run } from '../domain/run.ts'
import type { Schedules } from '../ports/store.ts'

/**
 * Pauses the schedule of a run whose place takes nothing any more: it was archived or deleted, or
 * Clew was removed (C377).
 *
 * @returns the delivery with a line for its owner that says so, where this delivery was the reason;
 *   else the delivery as it is.
 */
export async function pauseWhereGone(
  schedules: Pick<Schedules, 'update'>,
  { schedule, workspace }: Run,
  { delivery, locale }: { delivery: Delivery; locale: string },
): Promise<Delivery> {
  const { body } = delivery
  if (schedule === undefined || (body.kind !== 'message' && body.kind !== 'final')) return delivery
  const { scope, id, place } = schedule
  const paused = await schedules.update(workspace, scope, `gone:${delivery.id}`, id, (row) => {
    const isOver = row.paused || row.nextAt === null
    return isOver || row.place.channel !== place.channel
      ? null
      : { ...row, paused: true, gone: 'place' }
  })
  if (paused === null) return delivery
  const line = texts(locale).schedule.placeGone(id)
  return { ...delivery, body: { ...body, text: `${body.text}\n\n${line}` } }
}
