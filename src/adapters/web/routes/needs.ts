import { z } from 'zod'
import { isQuiet } from '../../../agent/domain/quiet.ts'
import { mayBeginAgain } from '../../../agent/domain/run.ts'
import type { Need } from '../../../agent/ports/needs.ts'
import { createQuietStore } from '../../../agent/quiet-hours.ts'
import { webWorkspace } from '../deps.ts'
import { seenNeeds } from '../permissions.ts'
import { inTurn, renderNeed } from '../render.ts'
import { forMembers } from '../route.ts'
import { NeedView } from '../views.ts'
import { authorIn } from './command-context.ts'
import { limitIn, placeIn } from './conversations.ts'

/**
 * C190: everything that waits for a person, on every platform. The answer to each goes to its own
 * thread.
 */
export const needsRoute = forMembers.route('get', '/api/needs-you', {
  summary: 'Everything that waits for a person, on every platform, what waits longest first',
  description: '`next` is where the next page begins, as its `after`; null: this is the last one.',
  query: ['limit', 'after', 'author'],
  answer: z.object({
    needs: z.array(NeedView),
    total: z.int(),
    next: z.string().nullable(),
    quiet: z.boolean().describe('It is a quiet hour of theirs: nobody is called'),
  }),
  async handle({ c, web }) {
    const { clock, lateAfterMs, linkTo } = web
    const limit = limitIn(c)
    const after = placeIn(c, 'after')
    const person = web.speaker(c, authorIn(c)).id
    const { needs, total, next } = await seenNeeds(web, c, {
      person,
      after: after && { at: after.at, name: after.id },
      limit,
    })
    const hours = await web.reach(() =>
      createQuietStore(web.store.notes, () => ({})).of(webWorkspace, { person }),
    )
    // A task that failed before it had a plan begins again only as a whole.
    const hasPlan = async (need: Need): Promise<boolean> => {
      if (need.kind !== 'failed' || !mayBeginAgain(need.run)) return false
      const state = await web.reach(() => web.store.runs.state(need.workspace, need.run.id))
      return (state?.task?.planItems.length ?? 0) > 0
    }
    const planned = new Set<Need>()
    for (const need of needs) if (await hasPlan(need)) planned.add(need)
    const isLate = (at: number) => lateAfterMs > 0 && at + lateAfterMs <= clock.now()
    return {
      needs: await inTurn(
        needs,
        (need) =>
          renderNeed(need, {
            late: isLate(need.at),
            again: planned.has(need),
            link: need.conversation === null ? null : linkTo(need.conversation.address),
          }),
        16,
      ),
      total,
      next: next === null ? null : `${next.at}:${next.name}`,
      quiet: hours !== null && isQuiet(hours, clock.now()),
    }
  },
})
