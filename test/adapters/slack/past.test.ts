import { afterAll, beforeAll, expect, it } from 'vitest'
import { acts, closes, createFakeModel, decides, ends, plans } from '../../fakes/model.ts'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, threadOf, type Whole } from './whole.ts'

describeWith(
  'redis-server',
  'what was decided before, asked in Slack and on the page',
  (program) => {
    let server: Awaited<ReturnType<typeof startRedis>>
    let whole: Whole
    /** Input of the search; null: Clew only answers. */
    let next: string | null = null
    /** What the search showed to the model. */
    let seen = ''
    const model = createFakeModel()
    model.answer(({ contract, input }) => {
      if (contract === 'decision')
        return next === null ? decides.reply('Noted.') : decides.run('Look it up')
      if (contract === 'plan') return plans('Look')
      if (contract !== 'thought') return ends(`It was decided: ${/https?:\S+/.exec(seen)?.[0]}`)
      const [first] = 'observations' in input ? input.observations : []
      if (first === undefined) return acts(next ?? '', 'team_search')
      seen = first.result
      return closes('Looked')
    })

    beforeAll(async () => {
      server = await startRedis(program)
      const options = { around: { model }, slack: { minuteMs: null } }
      whole = await startWhole(server.url, 'http', options)
      const { state } = whole.slack
      const members = new Set(['UANA', 'UBEN', state.bot.user])
      state.channels.set('G7', {
        ...{ id: 'G7', kind: 'group', members, archived: false, messages: [] },
      })
    })
    afterAll(async () => {
      await whole.stop()
      await server.stop()
    })

    /** Says something to Clew that only gets an answer. */
    async function decided(channel: string, text: string): Promise<string> {
      next = null
      const { people } = whole.slack
      const { ts } = people.mention(channel, 'UBEN', text)
      await threadOf(whole.slack, channel, ts).saying(/Noted/)
      return ts
    }

    async function asked(channel: string, user: string, input = 'pricing'): Promise<string> {
      next = input
      seen = ''
      const { people } = whole.slack
      const words = 'what did we decide about pricing?'
      const said =
        channel === 'D'
          ? people.direct(user, words)
          : { ...people.mention(channel, user, words), channel }
      const thread = threadOf(whole.slack, said.channel, said.ts)
      const report = await thread.saying(/It was decided/)
      return JSON.stringify(report)
    }

    it('is found with its link in channels that the asker is in now, private ones only where nobody reads along (C820, S83, S84)', async () => {
      const ts = await decided('C2', 'Pricing: we go with 49 euros')
      await decided('G7', 'Pricing: the board wants 39 euros')
      const report = await asked('C1', 'UANA')
      expect(report).toContain(`https://app.slack.com/client/T1/C2/thread/C2-${ts}`)
      expect(seen).toContain('Ben: Pricing: we go with 49 euros')
      expect(seen).not.toContain('39 euros')
      await asked('D', 'UANA')
      expect(seen).toMatch(/39 euros[\s\S]*49 euros/)

      const { channels } = whole.slack.state
      channels.get('C2')?.members.delete('UANA')
      channels.get('G7')?.members.delete('UANA')
      await asked('D', 'UANA')
      expect(seen, 'what she has left is not there at the next call').not.toMatch(/[34]9 euros/)
      const [, name = ''] = /(in:slack:T1\/\S+)/.exec(await shownTo('UBEN')) ?? []
      await asked('D', 'UANA', `${name} pricing`)
      expect(seen).toContain('There’s no such thread')
      channels.get('C2')?.members.add('UANA')
      channels.get('G7')?.members.add('UANA')
    })

    /** What the search shows to somebody who still is a member. */
    async function shownTo(user: string): Promise<string> {
      await asked('D', user, 'board pricing')
      return seen
    }

    it('is found on the page by its operator, with the thread of the platform (C820)', async () => {
      next = 'pricing board'
      seen = ''
      const body = { text: 'what did we decide?', clientMessageId: 'past-1' }
      await fetch(`${whole.clew.url}/api/conversations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      await until(() => seen !== '')
      expect(seen).toMatch(
        /https:\/\/app\.slack\.com\/client\/T1\/G7\/thread\/\S+\n[\s\S]*39 euros/,
      )
    })

    it('is not found once its thread was erased (C820)', async () => {
      const listed = await fetch(`${whole.clew.url}/api/conversations?q=board`)
      const { conversations } = (await listed.json()) as { conversations: { id: string }[] }
      expect(conversations).not.toEqual([])
      for (const { id } of conversations)
        await fetch(`${whole.clew.url}/api/conversations/${id}?workspace=slack:T1`, {
          method: 'DELETE',
        })
      await asked('D', 'UBEN', 'board')
      expect(seen).not.toContain('39 euros')
    })
  },
)
