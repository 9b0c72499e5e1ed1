import { expect, it } from 'vitest'
import type { Named, Reach } from '../../../src/agent/ports/members.ts'
import type { Tool, ToolResult } from '../../../src/agent/ports/tool.ts'
import { createMessageTool } from '../../../src/agent/tools/message.ts'
import { createToolbox } from '../../../src/agent/tools/registry.ts'
import { decides } from '../../fakes/model.ts'
import {
  ana,
  ben,
  type TestClew,
  type TestOptions,
  useClew,
  workspace,
} from '../../support/agent.ts'

const start = useClew()
const cem: Named = { id: 'cem', name: 'Cem Ay' }
const other: Named = { id: 'other', name: 'Cem Oz' }
const direct = 'dm-of-'

/** Who may write where, as the platform tells it; a test changes it. */
function worldOf() {
  const people: Named[] = [ana, ben, cem, other]
  const channels = [
    { id: 'C1', name: 'marketing', members: ['ana'] },
    { id: 'C2', name: 'sales', members: ['ana', 'ben'] },
    { id: 'C3', name: 'board', members: ['ben'] },
  ]
  const reachOf = (person: string): Reach => ({
    channels: channels.filter(({ members }) => members.includes(person)),
    isOurs: async (channel) => channel !== 'C2',
    people: async (name) => ({
      people: people.filter((one) => one.name.toLowerCase().includes(name.toLowerCase())),
      gap: false,
    }),
    person: async (id) => people.find((one) => one.id === id) ?? null,
    direct: async (id) => direct + id,
  })
  return { channels, people, reachOf, isAway: false }
}

/** A Clew whose model makes the call that it is told, once. */
async function running(options: TestOptions = {}) {
  const world = worldOf()
  const reach = async (_: string, person: string) =>
    world.isAway ? ('away' as const) : world.reachOf(person)
  /** Calls that were made, to be made again as after a crash. */
  const made: (() => Promise<ToolResult>)[] = []
  const clew = await start({
    strategy: 'free',
    toolsOf: (parts) => {
      const tool = createMessageTool({
        ...parts,
        sources: [{ platform: 'test', reach }],
        mayUse: () => true,
        linkTo: () => null,
        postedAt: async () => null,
      })
      const run: Tool['run'] = (input, context) => {
        const signal = AbortSignal.any([])
        made.push(() => tool.run(input, { ...context, signal }))
        return tool.run(input, context)
      }
      return [{ ...tool, run }]
    },
    ...options,
  })
  const results: string[] = []
  clew.model.answer(({ contract, input }) => {
    if (contract === 'decision' && 'message' in input) return decides.run(input.message)
    if (contract !== 'act' || !('observations' in input)) return null
    const [first] = input.observations
    if (first === undefined) return { text: null, calls: [{ tool: 'message', input: input.goal }] }
    results.push(first.result)
    return { text: `Over: ${first.result}`, calls: [] }
  })
  return { clew, world, results, made }
}

const tell = async (clew: TestClew, words: string) => {
  await clew.say(words)
  await clew.idle()
}
const open = async (clew: TestClew) => (await clew.state()).questions[0]
const press = async (clew: TestClew, choice: string, by = ana) => {
  await clew.choose((await open(clew))?.id ?? '', choice, by)
  await clew.idle()
}
const shownIn = ({ channel }: TestClew, place: string) =>
  channel.shown.filter(({ conversation }) => conversation.address.channel === place)
const saidIn = (clew: TestClew, place: string): string[] =>
  shownIn(clew, place).flatMap(({ delivery: { body } }) =>
    body.kind === 'message' ? [body.text] : [],
  )
/** Thread of what was posted there. */
async function threadAt(clew: TestClew, place: string) {
  const there = (await clew.store.conversations.list(workspace, 50)).find(
    ({ conversation }) => conversation.address.channel === place,
  )
  const { id = '', address } = there?.conversation ?? {}
  return { thread: address?.thread ?? null, openedFor: id, channel: place }
}
const reply = async (clew: TestClew, place: string, text: string, by = ben) => {
  await clew.say(text, { ...(await threadAt(clew, place)), by })
  await clew.idle()
}

it.each([
  ['tell #nowhere\nHello', '“#nowhere”'],
  ['tell #board\nHello', 'can’t write there'],
  ['tell @Cem\nHello', 'several: @Cem Ay (cem), @Cem Oz (other)'],
  ['ask #marketing\nAre you there?', 'only for one person’s answer'],
  ['tell #sales\nHello', 'not in #sales'],
  ['tell @Ana\nHello', 'the person who asked'],
  ['tell @Ben here\nHello', 'hasn’t written in this thread'],
])(
  '%j is answered with what to do, before anybody is asked (C841, S86)',
  async (input, problem) => {
    const { clew, results } = await running()
    await tell(clew, input)
    expect(results).toEqual([expect.stringContaining(problem)])
    expect(clew.texts().some((text) => text.includes('May I'))).toBe(false)
  },
)

it('nothing is posted while the platform does not say who may write where (S86)', async () => {
  const { clew, world, results } = await running()
  await tell(clew, 'tell #marketing\nIt is out')
  world.isAway = true
  await press(clew, 'Approve')
  expect(results).toEqual([expect.stringContaining('posted nothing')])
  expect(saidIn(clew, 'C1')).toEqual([])
})

it('what was approved is one place, whatever it is called later (C840, S86)', async () => {
  const { clew, world, results } = await running()
  await tell(clew, 'tell #marketing\nIt is out')
  expect((await open(clew))?.input).toBe('tell #marketing (C1)\nIt is out')
  world.channels[0] = { id: 'C9', name: 'marketing', members: ['ana'] }
  await press(clew, 'Approve')
  expect(results).toEqual([expect.stringContaining('I don’t know')])
  expect([...saidIn(clew, 'C1'), ...saidIn(clew, 'C9')]).toEqual([])
})

it('an approval that stays covers this text in this place, as far as who asks may write there (C771, S86)', async () => {
  const { clew, world, results } = await running()
  await tell(clew, 'tell #marketing\nIt is out')
  await press(clew, 'Always here')
  await tell(clew, 'tell #marketing\nIt is out')
  expect(await open(clew)).toBeUndefined()
  expect(saidIn(clew, 'C1')).toHaveLength(2)
  await tell(clew, 'tell #marketing\nIt is off')
  await press(clew, 'Refuse')
  world.channels.shift()
  await tell(clew, 'tell #marketing\nIt is out')
  expect(results.at(-1)).toContain('I don’t know')
  expect(saidIn(clew, 'C1')).toHaveLength(2)
})

it('somebody of the thread is called in it, and answers there (C842)', async () => {
  const { clew, results } = await running()
  await tell(clew, 'tell #nowhere\nHello')
  await clew.say('good morning', { by: ben, forSomeoneElse: true })
  await clew.idle()
  await tell(clew, 'ask @Ben\nHow many?')
  expect((await open(clew))?.input).toBe('ask @Ben (ben) here\nHow many?')
  await press(clew, 'Approve')
  expect(await open(clew)).toMatchObject({ owner: ben, askedOf: 'Ben' })
  await clew.say('42 of them', { by: ben })
  await clew.idle()
  expect(results.at(-1)).toBe('Ben answered: 42 of them')
  expect(shownIn(clew, `${direct}ben`)).toEqual([])
})

it('only the person who was asked is heard there, whoever may answer here (C843)', async () => {
  const { clew, results } = await running({ whoMayAnswer: 'owner' })
  await tell(clew, 'ask @Ben\nHow many?')
  await press(clew, 'Approve')
  const place = `${direct}ben`
  const brought = () => results.filter((text) => text.includes('answered'))
  await reply(clew, place, 'I say 7', cem)
  expect(brought()).toEqual([])
  await reply(clew, place, '42')
  await reply(clew, place, 'or 43')
  expect(brought()).toEqual(['Ben answered: 42'])
  expect(clew.texts()).toContain('Ben answered: 42')
})

it('a call leaves its intent, its approval and its outcome in the audit (C710)', async () => {
  const { clew } = await running()
  await tell(clew, 'ask @Ben\nHow many?')
  await press(clew, 'Approve')
  await reply(clew, `${direct}ben`, '42')
  const rows = (await clew.store.audit.rows(workspace, 0, 100)).map((row) => JSON.parse(row))
  const ofTool = rows.filter(({ tool }) => tool === 'message')
  expect(ofTool.map(({ kind, by, result }) => [kind, by, result])).toEqual([
    ['approval', 'ana', undefined],
    ['intent', 'ana', undefined],
    ['outcome', 'ana', 'ok'],
  ])
})

it('work that nobody watches has it only by its schedule, and asks then too (S4)', async () => {
  const tool = createMessageTool({
    ...({} as Parameters<typeof createMessageTool>[0]),
    sources: [{ platform: 'test', reach: async () => null }],
  })
  const toolbox = createToolbox([tool])
  const get = (more: object) => toolbox.get('message', { source: 'unattended', workspace, ...more })
  expect(get({})).toBeNull()
  expect(get({ allow: ['message'] })?.approval).toBe('always')
  expect(toolbox.cards({ source: 'interactive', workspace: 'web:local' })).toEqual([])
})

const settled = async (clew: TestClew) => {
  for (let tries = 0; tries < 3; tries++) {
    await clew.idle()
    await clew.advance(12_000)
  }
}
const sides = (point: string, most: number): [string, number][] =>
  Array.from({ length: most }, (_, n) => n + 1).flatMap((n) => [
    [`before ${point}`, n],
    [`after ${point}`, n],
  ])

it.each([
  ...sides('commits.commit', 5),
  ...sides('tool message.run', 1),
  ...sides('conversations.open', 1),
  ...sides('leases.claim', 4),
])('a life that ends %s (%i) from the approval on asks once (C840)', async (point, n) => {
  const { clew, results } = await running()
  await tell(clew, 'ask @Ben\nHow many?')
  clew.crashAt(point, n)
  void clew.choose((await open(clew))?.id ?? '', 'Approve')
  await settled(clew)
  clew.crashAt('never')
  const place = `${direct}ben`
  expect(saidIn(clew, place)).toHaveLength(1)
  await reply(clew, place, '42')
  expect([...new Set(results)]).toEqual(['Ben answered: 42'])
})

it.each([...sides('inbox.accept', 2), ...sides('commits.commit', 4)])(
  'a life that ends %s (%i) from the reply on brings it back once, told four times (C843)',
  async (point, n) => {
    const { clew, results } = await running()
    await tell(clew, 'ask @Ben\nHow many?')
    await press(clew, 'Approve')
    const place = `${direct}ben`
    const said = { ...(await threadAt(clew, place)), by: ben, keys: ['of-ben'] }
    clew.crashAt(point, n)
    void clew.say('42', said)
    await settled(clew)
    clew.crashAt('never')
    for (let again = 0; again < 3; again++) await clew.say('42', said)
    await settled(clew)
    expect([...new Set(results)]).toEqual(['Ben answered: 42'])
    expect(clew.texts().filter((text) => text === 'Ben answered: 42')).toHaveLength(1)
    expect(saidIn(clew, place).filter((text) => text.includes('passed it on'))).toHaveLength(1)
  },
)

it('a call that is made again after the answer waits for it still, and asks nobody again (C843)', async () => {
  const { clew, made } = await running()
  await tell(clew, 'ask @Ben\nHow many?')
  await press(clew, 'Approve')
  await reply(clew, `${direct}ben`, '42')
  const again = await made[0]?.()
  expect(again?.awaits).toMatchObject({ of: ben })
  expect(saidIn(clew, `${direct}ben`).filter((text) => text.includes('How many'))).toHaveLength(1)
})

it('an answer that comes before its question stands here is not lost (C843)', async () => {
  const { clew, results } = await running()
  await tell(clew, 'ask @Ben\nHow many?')
  clew.crashAt('after tool message.run')
  await clew.choose((await open(clew))?.id ?? '', 'Approve')
  await clew.idle()
  const place = `${direct}ben`
  expect(saidIn(clew, place)).toHaveLength(1)
  expect(results).toEqual([])
  await reply(clew, place, '42')
  expect(saidIn(clew, place)).toHaveLength(2)
  await clew.advance(15_000)
  await clew.idle()
  expect(results).toEqual(['Ben answered: 42'])
})

it.each([ana, ben])(
  'once $name is erased, nothing names them there or is passed on (C118)',
  async (person) => {
    const { clew, results } = await running()
    await tell(clew, 'ask @Ben\nHow many?')
    await press(clew, 'Approve')
    const place = `${direct}ben`
    const at = await threadAt(clew, place)
    await clew.store.privacy.erase(workspace, person.id)
    const there = await clew.store.conversations.state(workspace, at.openedFor, 1)
    expect(there?.conversation.asks).toBeNull()
    await reply(clew, place, '42')
    expect(results.filter((text) => text.includes('answered'))).toEqual([])
  },
)

const back = 'Take it back'
const offerOf = async (clew: TestClew) =>
  (await clew.state()).messages
    .flatMap(({ offers = [] }) => offers)
    .find(({ label }) => label === back)?.command ?? ''
const takesBack = async (clew: TestClew, by = ana) => {
  await clew.say(await offerOf(clew), { by, way: 'pressed' })
  await clew.idle()
}
const withdrawnIn = (clew: TestClew, place: string) =>
  shownIn(clew, place).filter(({ delivery: { body } }) => body.kind === 'withdrawn')
const told = async () => {
  const { clew } = await running()
  await tell(clew, 'tell #marketing\nIt is out')
  await press(clew, 'Approve')
  return clew
}
const historyAt = async (clew: TestClew, place: string) => {
  const { openedFor } = await threadAt(clew, place)
  return (await clew.store.conversations.state(workspace, openedFor, 50))?.messages
}

it('who asked takes a message back, by its button or in words, and the record says so (C940)', async () => {
  for (const words of [null, 'take it back', '撤回']) {
    const clew = await told()
    await (words === null ? takesBack(clew) : tell(clew, words))
    const [gone, ...more] = withdrawnIn(clew, 'C1')
    const [said] = shownIn(clew, 'C1')
    expect(more).toEqual([])
    expect(gone?.delivery.body).toMatchObject({
      messageId: said?.delivery.body.kind === 'message' ? said.delivery.body.messageId : '',
    })
    expect(await historyAt(clew, 'C1')).toEqual([])
    expect(clew.texts().at(-1)).toMatch(/deleting it there|正在把它/)
    const rows = (await clew.store.audit.rows(workspace, 0, 100)).map((row) => JSON.parse(row))
    expect(rows.filter(({ what }) => what === 'message')).toEqual([
      expect.objectContaining({ kind: 'kept', by: 'ana', change: 'taken_back' }),
    ])
  }
})

it('stays when somebody has answered it, and when others want it gone (C940, S96)', async () => {
  const clew = await told()
  await takesBack(clew, ben)
  expect(clew.texts().at(-1)).toContain('(to ben) Only the person in whose name')
  await reply(clew, 'C1', 'Great news!', ben)
  await takesBack(clew)
  expect(clew.texts().at(-1)).toContain('(to ana) Somebody has answered it')
  await tell(clew, '/takeback c_1234567890')
  expect(clew.texts().at(-1)).toContain('not there any more')
  await tell(clew, `/takeback ${(await clew.state()).conversation.id}`)
  expect(clew.texts().at(-1)).toContain('not there any more')
  expect(withdrawnIn(clew, 'C1')).toEqual([])
})

it('who got it directly is told that it was taken back (C940)', async () => {
  const { clew } = await running()
  await tell(clew, 'tell @Ben\nIt is out')
  await press(clew, 'Approve')
  await takesBack(clew)
  const place = `${direct}ben`
  expect(withdrawnIn(clew, place)).toHaveLength(1)
  expect(saidIn(clew, place).at(-1)).toBe('**Ana** has taken back what I passed on to you.')
})

it.each([...sides('commits.commit', 4), ...sides('outbox.trying', 2), ...sides('outbox.sent', 2)])(
  'a life that ends %s (%i) from the press on takes it back once (C940)',
  async (point, n) => {
    const clew = await told()
    const command = await offerOf(clew)
    clew.crashAt(point, n)
    void clew.say(command, { way: 'pressed', keys: ['press'] })
    await settled(clew)
    clew.crashAt('never')
    await settled(clew)
    expect(withdrawnIn(clew, 'C1')).toHaveLength(1)
    expect(await historyAt(clew, 'C1')).toEqual([])
    expect(clew.texts().filter((text) => text.includes('deleting it there'))).toHaveLength(1)
  },
)
