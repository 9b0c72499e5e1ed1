import { expect, it } from 'vitest'
import { verifyChain } from '../../../src/agent/domain/audit-chain.ts'
import type { InboundEvent } from '../../../src/agent/domain/event.ts'
import { createFakeChannel } from '../../fakes/channel.ts'
import { createFakeModel } from '../../fakes/model.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { ask } from './support.ts'

const start = useWholeClew()
const said = (n: number, id: string, text: string): InboundEvent => ({
  ...{
    workspace: 'chat:one',
    channel: 'C1',
    thread: `t${n}`,
    keys: [`m${id}${n}`],
    at: Date.now(),
  },
  author: { id, name: `Name of ${id}`, bot: false },
  whose: { way: 'typed' as const, by: 'member' as const },
  content: { kind: 'message', text, addressed: true, forSomeoneElse: false },
})

it('gives operators the record, as lines that verify and in words with names, by person and thread (C717)', async () => {
  const chat = createFakeChannel('chat')
  const { url } = await start({}, { channels: [chat], model: createFakeModel() })
  for (const [n, id] of ['U1', 'U2', 'U1'].entries())
    await chat.intake(said(n, id, `/todo add Call number ${n}`))
  const export_ = async (query = '') => await (await fetch(`${url}/api/audit${query}`)).text()
  await expect.poll(async () => (await export_()).split('\n').length, { timeout: 20_000 }).toBe(4)
  const text = await export_()
  expect(verifyChain(text)).toMatchObject({ rows: 3, fault: null })
  expect(text).not.toContain('Call number')
  expect(await export_('?workspace=chat:one')).toBe(text)
  expect(await export_('?workspace=web:local')).toBe('')

  interface Line {
    by: string
    thread: string
    text: string
    seq: number
  }
  const lines = async (query = '', language = 'en') =>
    (
      (
        await ask(`${url}/api/audit/lines${query}`, 'GET', undefined, {
          'accept-language': language,
        })
      ).body as { lines: Line[] }
    ).lines
  expect((await lines()).map(({ by }) => by)).toEqual(['U1', 'U2', 'U1'])
  expect(await lines('?person=U2')).toMatchObject([
    { text: 'To-do 2 “Call number 1”: added by Name of U2', title: '/todo add Call number 1' },
  ])
  expect(await lines('?person=U2', 'zh')).toMatchObject([
    { text: '待办 2“Call number 1”：Name of U2 添加' },
  ])
  // A name that was given once stays, and who reads is called “you”.
  const unnamed = { id: 'U2', name: 'Somebody on this page', bot: false }
  await chat.intake({ ...said(1, 'U2', '/todo list'), keys: ['later'], author: unnamed })
  expect(await lines('?person=U2')).toMatchObject([{ name: 'Name of U2' }])
  expect(await lines('?person=U2&author=U2')).toMatchObject([
    { text: 'To-do 2 “Call number 1”: added by you', name: 'you' },
  ])
  const [newest] = await lines('?limit=1')
  expect(newest).toMatchObject({ seq: 3 })
  expect(await lines(`?thread=${newest?.thread}`)).toEqual([newest])
  expect(await lines('?person=nobody')).toEqual([])
}, 60_000)
