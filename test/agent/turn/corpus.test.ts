import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Message as DiscordMessage } from '../../../src/adapters/discord/message.ts'
import { readMessage as readDiscord } from '../../../src/adapters/discord/parse.ts'
import { readMessage as readSlack } from '../../../src/adapters/slack/markdown.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { schemaOf } from '../../../src/agent/model/schema.ts'
import { asks, decides, hangs, plans } from '../../fakes/model.ts'
import { type TestClew, useClew, workspace } from '../../support/agent.ts'

const Outcome = z.enum([
  'ignored',
  'thanked',
  'answer',
  'joined',
  'answered',
  'started',
  'command',
  'stopped',
])

/**
 * Short threads, and what becomes of the last message of each. `code`: the rule decides it, and what a model would like plays no
 * part. `model`: only a model can tell; what is proven is that it is asked with everything that was said, that the right outcomes
 * are offered and that the one it chooses is carried out, not that it chooses well.
 */
const Thread = z.strictObject({
  name: z.string(),
  /** `working`: a task of the first person thinks. `asks`: it waits for an answer, of these choices where there are any. */
  in: z.string().regex(/^(idle|working|asks(:.+)?)$/),
  /** “Name: words”, where `@Name` is a mention; “Clew: words” is its reply to the line before. */
  history: z.array(z.string()).default([]),
  last: z.string(),
  direct: z.boolean().default(false),
  answersTo: z.enum(['auto', 'mention']).default('auto'),
  expect: Outcome,
  /** Outcomes that would be right too. */
  also: z.array(Outcome).default([]),
  /** Outcome that a model chose in the live trial, from the prompt alone. */
  chosen: Outcome.optional(),
  decidedBy: z.enum(['code', 'model']),
})
type Thread = z.infer<typeof Thread>

const threads = z
  .array(Thread)
  .parse(
    JSON.parse(readFileSync(new URL('corpus/threads.json', import.meta.url), 'utf8')) as unknown,
  )

const clewId = '11111111111111111'
const ids: Record<string, string> = {
  Clew: clewId,
  Ana: '22222222222222222',
  Ben: '33333333333333333',
}
const idOf = (name: string) => ids[name] ?? '44444444444444444'
const nameIn = (said: string) => said.slice(0, said.indexOf(':'))
const wordsIn = (said: string) => said.slice(said.indexOf(':') + 1).trim()

/** What the platforms' adapters make of the words: both the same. */
function addressing(words: string) {
  const mention = /@(?!here)(\p{L}+)/gu
  const slack = readSlack(
    words.replace(mention, (_, name) => `<@U${idOf(name)}>`).replace('@here', '<!here>'),
    `U${clewId}`,
    () => null,
  )
  const mentioned = Array.from(words.matchAll(mention), ([, name = '']) => ({
    id: idOf(name),
    username: name,
  }))
  const message = DiscordMessage.parse({
    ...{
      id: '55555555555555555',
      channel_id: '66666666666666666',
      guild_id: '77777777777777777',
      type: 0,
    },
    author: { id: '88888888888888888', username: 'somebody' },
    content: words.replace(mention, (_, name) => `<@${idOf(name)}>`),
    mentions: mentioned,
  })
  const place = { id: '66666666666666666', type: 0, guild_id: '77777777777777777' }
  const event = readDiscord(message, place, {
    botId: clewId,
    botOfRole: () => null,
    nameOf: () => null,
    now: 1,
  })
  const content = event?.content.kind === 'message' ? event.content : null
  const { mentioned: addressed, forSomeoneElse, namesOthers } = slack
  expect({ ...content, namesOthers: content?.namesOthers ?? false }, words).toMatchObject({
    addressed,
    forSomeoneElse,
    namesOthers,
  })
  return { addressed, forSomeoneElse, namesOthers }
}

/** Words without Clew's own mention, as an adapter hands them on. */
const withoutClew = (words: string) => words.replace(/@Clew\s*/u, '').trim()

const openings = 'Book the offsite'
const chosen = {
  ...{ ignored: decides.ignore(), joined: decides.join(), answer: decides.join() },
  ...{ answered: decides.reply('It seats 40'), started: decides.run('Compare them') },
}

/** Outcomes that a model may choose from. */
function offered(where: string): readonly string[] {
  if (where === 'idle') return ['ignored', 'answered', 'started']
  return ['ignored', 'answered', where === 'working' ? 'joined' : 'answer']
}

interface Row {
  name: string
  expected: string
  got: string
  by: string
}

/** Plays a thread in a Clew of its own kind; answers what became of its last message, and what a model was asked of it. */
async function play(clew: TestClew, thread: Thread, number: number): Promise<Row> {
  const place = { thread: `t${number}` }
  const say = async (said: string, busy = 0) => {
    const by = { id: nameIn(said).toLowerCase(), name: nameIn(said) }
    const flags = thread.direct
      ? { addressed: true, forSomeoneElse: false, namesOthers: false }
      : addressing(wordsIn(said))
    await clew.clock.advance(1)
    await clew.say(withoutClew(wordsIn(said)), { ...place, ...flags, by })
    await clew.idle(busy)
  }
  const [where = '', choices] = thread.in.split(':')
  let reply = 'Three venues are left'
  clew.model.answer(({ contract }) => {
    if (contract === 'overheard') return decides.ignore()
    if (contract === 'plan') return where === 'working' ? hangs() : plans('Find a place')
    if (contract === 'thought') return asks('Which city?', choices?.split('|') ?? null)
    return decides.reply(reply)
  })
  for (const [at, said] of thread.history.entries()) {
    const next = thread.history[at + 1] ?? ''
    reply = nameIn(next) === 'Clew' ? wordsIn(next) : 'Three venues are left'
    if (nameIn(said) !== 'Clew') await say(said)
  }
  if (where !== 'idle') {
    clew.model.on('decision', decides.run(openings))
    const first = thread.history[0] ?? thread.last
    await say(`${nameIn(first)}: @Clew ${openings}`, where === 'working' ? 1 : 0)
  }
  const before = clew.model.calls.length
  const expected = thread.chosen ?? thread.expect
  if (thread.decidedBy === 'model') {
    expect(offered(where), `${thread.name}: ${expected}`).toContain(expected)
    clew.model.on('overheard', chosen[expected as keyof typeof chosen])
  } else if (expected === 'started') clew.model.on('decision', decides.run('Compare them'))
  if (expected === 'answer') clew.model.on('replan', hangs())
  if (expected === 'started') clew.model.on('plan', hangs())
  const isBusy =
    ['answer', 'started'].includes(expected) || (where === 'working' && expected !== 'stopped')
  await say(thread.last, isBusy ? 1 : 0)
  const { conversation } = await clew.state(place.thread)
  const overheard = (await clew.store.conversations.overheard(workspace, conversation.id)).map(
    ({ text }) => text,
  )
  const isOverheard = overheard.includes(withoutClew(wordsIn(thread.last)))
  const outcome = isOverheard ? 'ignored' : (await clew.outcomes(place.thread)).at(-1)
  const runs = (await clew.store.runs.list(workspace, 50)).filter(
    ({ status }) => status === 'canceled',
  ).length
  const asked = clew.model.calls.slice(before)
  checkAsked(thread, asked)
  if (isBusy || where === 'asks') await say('Ana: @Clew stop')
  const got =
    expected === 'stopped' && runs > 0 && outcome === 'answered' ? 'stopped' : String(outcome)
  return { name: thread.name, expected, got, by: thread.decidedBy }
}

/** Where code decides, nothing that may ignore was asked; where a model does, it was told all that was said. */
function checkAsked(
  { name, decidedBy, history, last, in: where }: Thread,
  asked: TestClew['model']['calls'],
): void {
  const overheard = asked.filter(({ contract }) => contract === 'overheard')
  expect(overheard, name).toHaveLength(decidedBy === 'model' ? 1 : 0)
  for (const { contract, input } of overheard) {
    if (contract !== 'overheard') continue
    const { context, transcript, tail } = promptFor('overheard', input)
    const prompt = [context, ...transcript, tail].join('\n')
    for (const said of [...history, last])
      for (const line of withoutClew(wordsIn(said)).split('\n'))
        expect(prompt, name).toContain(line)
    expect(tail.includes('Only "ignore", "join" and "reply" are offered'), name).toBe(
      where !== 'idle',
    )
    expect(JSON.stringify(schemaOf('overheard')), name).toContain('"ignore"')
  }
}

const start = useClew()

it('does in each of the short threads what its author meant, as far as code can tell (C76, C77)', async () => {
  expect(threads.length).toBeGreaterThanOrEqual(185)
  const rows: Row[] = []
  for (const answersTo of ['auto', 'mention'] as const) {
    const clew = await start({ answersTo: { usual: answersTo, channels: {} } })
    for (const thread of threads)
      if (thread.answersTo === answersTo) rows.push(await play(clew, thread, rows.length))
  }
  const of = (by: string) => rows.filter((row) => row.by === by)
  const table = rows.map(
    ({ name, expected, got, by }) => `${got === expected ? ' ' : '!'} ${by} ${expected} ${name}`,
  )
  process.stdout.write(
    `${table.join('\n')}\n${of('code').length} threads are decided by code; ${of('model').length} only a model can decide: of those it is shown that it is asked rightly, not that it answers rightly\n`,
  )
  expect(rows.filter(({ expected, got }) => got !== expected)).toEqual([])
  expect(JSON.stringify(schemaOf('decision'))).not.toContain('"ignore"')
})
