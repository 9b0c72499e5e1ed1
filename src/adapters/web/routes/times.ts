import { z } from 'zod'
import { openHalf } from '../../../agent/commands/when/open-half.ts'
import { isTimeZone } from '../../../agent/domain/zone.ts'
import { refuse } from '../problems.ts'
import { forMembers } from '../route.ts'

const { route } = forMembers

/** Times as people type them into forms, before anything is saved. */
export const timeRoutes = [
  route('get', '/api/times', {
    summary: 'What a time is taken for that leaves open the half of the day; nothing is saved',
    description: '`once=true`: rules such as “every Monday at 9” are no times, as for a to-do.',
    query: ['text', 'timeZone', 'once'],
    refusals: ['bad_request'],
    answer: z.object({
      at: z.number().nullable().describe('Null where the words say it, or are no time'),
    }),
    async handle({ c, web: { clock, timeZone } }) {
      const zone = c.req.query('timeZone') ?? timeZone
      if (!isTimeZone(zone)) return refuse('bad_request', { field: 'timeZone' })
      const text = (c.req.query('text') ?? '').slice(0, 200)
      const frame = { now: clock.now(), timeZone: zone }
      return { at: openHalf(text, frame, c.req.query('once') === 'true') }
    },
  }),
]
