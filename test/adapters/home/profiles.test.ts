import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHome } from '../../../src/adapters/home/home.ts'
import { openProfiles } from '../../../src/adapters/home/profiles.ts'
import { type Known, readProfile } from '../../../src/adapters/home/read-profile.ts'
import { limitsIn } from '../../../src/agent/domain/profile.ts'
import { isAllowed, standingIn } from '../../../src/agent/intake.ts'
import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import { answersIn } from '../../../src/agent/turn/meant-for.ts'
import { createManualClock } from '../../fakes/clock.ts'
import { value } from '../../fakes/openai/replies.ts'
import { silent } from '../../support/silent.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { ask } from '../web/support.ts'

async function folderWith(files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'clew-profiles-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

async function opened(files: Record<string, string>, known?: () => Known | 'early') {
  const folder = await folderWith(files)
  const clock = createManualClock()
  const profiles = await openProfiles(folder, { clock, log: silent, ...(known && { known }) })
  onTestFinished(() => profiles.stop())
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await clock.advance(2_000)
      await wait(5)
    }
  }
  const change = (id: string, text: string) => writeFile(join(folder, 'channels', `${id}.md`), text)
  return { folder, profiles, until, change }
}

describe('a profile of a channel', () => {
  it('is read as texts, so that long ids keep their digits', () => {
    expect(
      readProfile(
        '---\nname: "#marketing"\npeople: [1234567890123456789, "*"]\noutsiders: yes\ntools:\n  web_search: hidden\n---\nWrite short.\n',
      ),
    ).toEqual({
      name: '#marketing',
      people: ['1234567890123456789', '*'],
      outsiders: true,
      tools: { web_search: 'hidden' },
      instructions: 'Write short.',
    })
    expect(readProfile('\uFEFF---\r\n---\r\n')).toEqual({ instructions: null })
  })

  it.each([
    ['', 'line 1: does not begin with ---'],
    ['people: [U1]\n---\n', 'line 1: does not begin with ---'],
    ['---\npeople: [U1]\n', 'line 1: the head does not end with ---'],
    ['---\nname: x\n\nskils: [a]\n---\n', 'line 4: skils is no key of a profile'],
    ['---\ntools:\n  a: always\n  b: hiden\n---\n', 'line 4: tools.b '],
    ['---\npeople: U1\n---\n', 'line 2: people '],
    ['---\npeople:\n  - U1\n  - ""\n---\n', 'line 4: people.1 '],
    ['---\noutsiders: maybe\n---\n', 'line 2: outsiders '],
    ['---\noutsiders:\n---\n', 'line 2: outsiders '],
    ['---\ntools: { *: hidden }\n---\n', 'line 2: '],
    ['---\ntools: &a { a: hidden }\n---\n', null],
    ['---\nname: a\nname: b\n---\n', 'line 3: '],
    [`---\n---\n${'x'.repeat(8_001)}`, 'line 3: the instructions are longer than 8000'],
  ])('with a fault names its line: case %$ (C674)', (text, fault) => {
    const read = readProfile(text)
    if (fault === null) expect(read).toMatchObject({ tools: { a: 'hidden' } })
    else expect(String(read)).toContain(fault)
  })

  it('with a fault is its last version without one, and without that the channel is closed (C674)', async () => {
    const { profiles, until, change } = await opened({
      'channels/C1.md': '---\npeople: [U1]\n---\n',
      'channels/C2.md': '---\npeopel: [U1]\n---\n',
      'channels/#general.md': '---\n---\n',
    })
    expect(profiles.in('C1')).toEqual({ people: ['U1'], instructions: null })
    expect(profiles.in('C3')).toBeNull()
    expect(profiles.in('C2')).toMatchObject({ closed: true, people: [], tools: { '*': 'hidden' } })
    expect(profiles.problems().join('\n')).toMatch(/C2\.md: line 2: peopel is no key/)
    expect(profiles.problems().join('\n')).toMatch(/#general\.md is not named after the id/)

    await change('C1', '')
    await until(() => profiles.in('C1')?.fault !== undefined)
    expect(profiles.in('C1')).toMatchObject({
      people: ['U1'],
      fault: expect.stringMatching('line 1'),
    })
    await change('C1', '---\npeople: [U2]\n---\nShort.')
    await change('C2', '---\npeople: [U1]\n---\n')
    await until(() => profiles.in('C2')?.closed === undefined)
    expect(profiles.in('C1')).toEqual({ people: ['U2'], instructions: 'Short.' })
  })

  it('names its model, budget, language, zone and when Clew speaks (C760)', () => {
    const head = [
      ...['model: small', 'tokens-per-day: 200000', 'cost-per-month: 2.50', 'language: zh'],
      ...['zone: Europe/Lisbon', 'speaks: mention', 'plan-first: yes'],
    ]
    const profile = readProfile(`---\n${head.join('\n')}\n---\n`, known)
    expect(profile).toMatchObject({
      ...{ model: 'small', 'tokens-per-day': 200_000, 'cost-per-month': 2.5, language: 'zh' },
      ...{ zone: 'Europe/Lisbon', speaks: 'mention', 'plan-first': true },
    })
    if (typeof profile === 'string') throw new Error(profile)
    const none = { tokens: null, cost: null }
    const all = { person: none, channel: { tokens: 9, cost: 9 }, team: none }
    const limits = limitsIn({ day: all, month: all, timeZone: 'UTC', currency: 'USD' }, profile)
    expect(limits.day.channel).toEqual({ tokens: 200_000, cost: 9 })
    expect(limits.month.channel).toEqual({ tokens: 9, cost: 2.5 })
    const setting = { usual: 'auto', channels: { C1: 'auto' }, profileIn: () => profile } as const
    expect(answersIn(setting, 'C1')).toBe('mention')
  })

  const known: Known = {
    models: ['small', 'large'],
    isPriced: true,
    tools: ['todo', 'web_search', 'tickets__close'],
    away: ['files__'],
  }
  it.each([
    ['skils: [a]', 'line 2: skils is no key of a profile; did you mean skills?'],
    [
      'token-per-day: 5',
      'line 2: token-per-day is no key of a profile; did you mean tokens-per-day?',
    ],
    ['tools:\n  todo: hiden', 'did you mean hidden?'],
    [
      'tools:\n  todo: always\n  web_serach: hidden',
      'line 4: tools.web_serach is no tool; did you mean web_search?',
    ],
    ['tools:\n  tickets: hidden', 'line 3: tools.tickets is no tool; did you mean tickets__*?'],
    [
      'model: smal',
      'line 2: model smal is none of the models in the settings; did you mean small?',
    ],
    ['zone: Lisbon', 'line 2: zone is no time zone'],
    ['tokens-per-day: many', 'line 2: tokens-per-day is no amount'],
    ['cost-per-day: 0', 'line 2: cost-per-day is not more than 0'],
    ['speaks: loudly', 'line 2: speaks '],
  ])('with %j says where and what was meant (C761)', (head, fault) => {
    expect(String(readProfile(`---\n${head}\n---\n`, known))).toContain(fault)
  })

  it('may name tools of a server that is away, and is doubted where a name fits no tool (C761)', () => {
    const head = 'tools:\n  files__read: hidden\n  stock: always'
    expect(readProfile(`---\n${head}\n---\n`, known)).toMatchObject({
      doubt: 'fits no tool that there is now: stock',
    })
    const unpriced = readProfile('---\ncost-per-day: 2\n---\n', { ...known, isPriced: false })
    expect(unpriced).toBe('line 2: cost-per-day needs MODEL_PRICES')
  })

  it('that misspells a tool closes its channel at the start, and later keeps its last version (C761)', async () => {
    let now: Known | 'early' = 'early'
    const { profiles, until, change } = await opened(
      {
        'channels/C1.md': '---\ntools: { web_serach: hidden }\n---\n',
        'channels/C2.md': '---\ntools: { web_search: hidden }\n---\n',
      },
      () => now,
    )
    expect(profiles.in('C1')?.closed).toBeUndefined()
    now = known
    await profiles.look()
    expect(profiles.in('C1')).toMatchObject({ closed: true })
    await change('C2', '---\ntools: { web_serch: hidden }\n---\n')
    await until(() => profiles.in('C2')?.fault !== undefined)
    expect(profiles.in('C2')).toMatchObject({ tools: { web_search: 'hidden' } })
    expect(profiles.problems().join()).toContain('did you mean web_search?')
  })

  it('stays what it was while the folder is away, and ends with its file', async () => {
    const { folder, profiles, until, change } = await opened({
      'channels/C1.md': '---\ntools: { a: hidden }\n---\n',
    })
    await rm(folder, { recursive: true })
    await until(() => profiles.problems().length > 0)
    expect(profiles.in('C1')?.tools).toEqual({ a: 'hidden' })
    await mkdir(join(folder, 'channels'), { recursive: true })
    await change('C2', '---\n---\n')
    await until(() => profiles.problems().length === 0)
    expect([profiles.in('C1'), profiles.in('C2')]).toEqual([null, { instructions: null }])
  })

  it('says who may ask, above the settings, and who may not (C672)', () => {
    const profiles: Record<string, string> = {
      C1: '---\npeople: [U1]\noutsiders: false\n---\n',
      C2: '---\npeople: ["*"]\noutsiders: true\n---\n',
      C3: '---\n---\n',
    }
    const profileIn = (channel: string) => {
      const read = readProfile(profiles[channel] ?? '---')
      return typeof read === 'string' ? null : read
    }
    const access = { users: ['U9'], channels: ['C1', 'C3'], outsiders: ['C1', 'C3'], profileIn }
    const may = (person: string, channel: string) => isAllowed(access, person, channel)
    expect([may('U1', 'C1'), may('U9', 'C1')]).toEqual([true, false])
    expect([may('U7', 'C2'), may('U9', 'C2')]).toEqual([true, true])
    expect([may('U7', 'C3'), may('U9', 'C3'), may('U9', 'C4')]).toEqual([false, true, false])
    const standings = ['C1', 'C2', 'C3', 'C4'].map((one) => standingIn(access, 'outsider', one))
    expect(standings).toEqual(['outsider', 'member', 'member', 'outsider'])
  })

  it('adds its instructions to the team’s, and keeps skills that it does not name from being read', async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\nBody.`
    const folder = await folderWith({
      'instructions.md': 'We sell bread.',
      'skills/baking/SKILL.md': skill('baking'),
      'skills/books/SKILL.md': skill('books'),
      'channels/C1.md': '---\nskills: [baking]\n---\nAnswer in rhymes.',
    })
    const clock = createManualClock()
    const profiles = await openProfiles(folder, { clock, log: silent })
    const home = await openHome(folder, { clock, log: silent, profileIn: profiles.in })
    onTestFinished(() => {
      profiles.stop()
      home.stop()
    })
    const here = home.words('C1')
    expect(here.instructions).toBe('We sell bread.\n\nIn this channel:\nAnswer in rhymes.')
    expect(here.skills.map(({ name }) => name)).toEqual(['baking'])
    expect(home.words('C2').skills).toHaveLength(2)
    const [tool] = home.tools()
    const read = (channel: string) => tool?.run('books', { channel } as ToolContext)
    expect(await read('C1')).toMatchObject({ ok: false, text: expect.stringContaining('baking') })
    expect(await read('C2')).toEqual({ ok: true, text: 'Body.' })
  })
})

describe('a tool that the profile of its channel hides', () => {
  const start = useWholeClew()
  const notes = `export default { name: 'notes', effect: 'unkeyed', description: 'Writes a note.',
    run: async () => { globalThis.written = (globalThis.written ?? 0) + 1; return { ok: true, text: 'written' } } }`
  const written = () => Reflect.get(globalThis, 'written') ?? 0
  const round = value({
    steps: [{ tool: 'notes', arguments: 'Buy bread', purpose: null }],
    reasoning: 'r',
  })
  const think = value({
    ...{ internal_analysis: null, user_summary: 'Done.', task_completed: true },
    next_steps_preview: null,
  })
  const json = (url: string) => ask(url).then(({ body }) => JSON.stringify(body))

  it('is not offered, and its approval says what changed and calls nothing (C673, C675)', async () => {
    const folder = await folderWith({
      'tools/notes.ts': notes,
      'channels/other.md': '---\ntools: { "*": hidden }\n---\n',
    })
    const { server, url } = await start({ AGENT_HOME: folder, AGENT_STRATEGY: 'batch' })
    server.on('decision', decision('Note it'))
    server.on('plan_tool_call', round)
    server.on('think', think)
    const id = await tell(url, 'Note it', { id: 'ana', name: 'Ana' })
    const { question } = await when(url, id, (shown) => shown.question !== null)
    expect(server.requests.at(-1)?.prompt).toContain('notes')
    await writeFile(join(folder, 'channels/web.md'), '---\ntools: { "no*": hidden }\n---\n')
    // Read in the same look as the profile.
    await writeFile(join(folder, 'channels/#x.md'), '---\n---\n')
    while (!(await json(`${url}/healthz`)).includes('#x.md')) await wait(50)
    await ask(`${url}/api/questions/${question?.id}/answer`, 'POST', {
      choice: 'Approve',
      author: { id: 'ana', name: 'Ana' },
    })
    const { messages } = await when(url, id, ({ run }) => run?.status === 'succeeded')
    expect(messages.map(({ text }) => text).join('\n')).toContain('is off here now')
    expect(server.requests.at(-1)?.prompt).toContain('the profile of this channel hides')
    expect(written()).toBe(0)
  })

  it('is off from the next call on in a task that works, and the thread is told once (C762)', async () => {
    const folder = await folderWith({
      'tools/notes.ts': notes.replace("'unkeyed'", "'none'"),
      'channels/other.md': '---\n---\n',
    })
    const { server, url } = await start({ AGENT_HOME: folder, AGENT_STRATEGY: 'batch' })
    server.on('decision', decision('Note it'))
    server.on('plan_tool_call', async () => {
      await writeFile(join(folder, 'channels/web.md'), '---\ntools: { notes: hidden }\n---\n')
      await writeFile(join(folder, 'channels/#x.md'), '---\n---\n')
      while (!(await json(`${url}/healthz`)).includes('#x.md')) await wait(50)
      return round
    })
    server.on('think', think)
    const id = await tell(url, 'Note it', { id: 'ana', name: 'Ana' })
    const { messages } = await when(url, id, ({ run }) => run?.status === 'succeeded')
    const told = messages.filter(({ text }) => text.includes('is off here now'))
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain('admin can turn it on again')
  })

  it('is refused whatever the model says (C673)', async () => {
    const folder = await folderWith({
      'tools/notes.ts': notes.replace("'unkeyed'", "'none'"),
      'channels/web.md': '---\ntools: { "*": hidden }\n---\nSpeak like a pirate.',
    })
    const { server, url } = await start({ AGENT_HOME: folder, AGENT_STRATEGY: 'batch' })
    server.on('decision', decision('Note it'))
    server.on('plan_tool_call', round, round, round, round, round, round, round, round)
    server.on('think', think)
    const id = await tell(url, 'Note it', { id: 'ana', name: 'Ana' })
    await when(url, id, ({ run }) => ['failed', 'succeeded', 'paused'].includes(run?.status ?? ''))
    expect(server.requests.at(0)?.prompt).toContain('Speak like a pirate.')
    expect(server.requests.every(({ prompt }) => !prompt.includes('Writes a note.'))).toBe(true)
    expect(written()).toBe(0)
  })

  it('has a budget and a language of its own, and /about says what holds and why (C760, C763)', async () => {
    const folder = await folderWith({
      'channels/web.md':
        '---\nname: "#desk"\ntokens-per-day: 1\nlanguage: zh\ntools: { todo: hidden }\n---\nShort.',
    })
    const { server, url } = await start({ AGENT_HOME: folder, DEFAULT_TIME_ZONE: 'Europe/Lisbon' })
    server.on('decision', decision('Note it'))
    const id = await tell(url, 'Note it', { id: 'ana', name: 'Ana' })
    const { messages } = await when(url, id, ({ run }) => run?.status === 'paused')
    expect(messages.map(({ text }) => text).join('\n')).toContain('频道今天')
    const about = await tell(url, '/about', { id: 'ana', name: 'Ana' })
    const { messages: said } = await when(url, about, (shown) => shown.messages.length === 2)
    const text = said.at(-1)?.text ?? ''
    expect(text).toContain('#desk 适用的规则')
    expect(text).toContain('本频道每天最多 1 个 token。 *（频道规则）*')
    expect(text).toContain('在这里不能用的工具：`todo`')
    expect(text).toMatch(/葡萄牙时间.*（设置）/)
    expect(text).toMatch(/都可以找我做事。 \*（默认）/)
  })

  it('in a channel that is closed nothing is taken up until its profile is corrected (C674)', async () => {
    const path = 'channels/web.md'
    const folder = await folderWith({ [path]: '---\nname: page\ntool: {}\n---\n' })
    const { url } = await start({ AGENT_HOME: folder })
    const { body } = await ask(`${url}/api/conversations`, 'POST', {})
    const { id } = body as { id: string }
    const say = () =>
      ask(`${url}/api/conversations/${id}/messages`, 'POST', {
        text: '/help',
        clientMessageId: 'm',
      })
    const refused = await say()
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain('rules for this channel have a mistake')
    await writeFile(join(folder, path), '---\nname: page\n---\n')
    while ((await say()).status !== 202) await wait(50)
    await when(url, id, ({ messages }) => messages.length === 2)
  })
})
