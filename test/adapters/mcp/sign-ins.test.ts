import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createMcpServers } from '../../../src/adapters/mcp/servers.ts'
import { readServersFile } from '../../../src/adapters/mcp/servers-file.ts'
import { signInPages } from '../../../src/adapters/mcp/sign-in-pages.ts'
import { createSignIns } from '../../../src/adapters/mcp/sign-ins.ts'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { signInsTable } from '../../../src/agent/commands/signins.ts'
import type { ServiceAnswer } from '../../../src/agent/domain/service-question.ts'
import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { conversationWith } from '../../agent/commands/context.ts'
import { startSigned } from '../../fakes/mcp/signed.ts'
import { silent } from '../../support/silent.ts'
import { createMemory } from '../discord/memory.ts'
import { context, until } from './support.ts'

const [ana, ben] = [
  { id: 'ana', name: 'Ana' },
  { id: 'ben', name: 'Ben' },
]
const here = 'http://127.0.0.1:9'

async function bench(auth: 'person' | 'installation' = 'person') {
  const desk = await startSigned()
  onTestFinished(() => desk.close())
  const memory = createMemory()
  const clock = createSystemClock()
  const encryptionKey = randomBytes(32).toString('base64')
  const signIns = createSignIns({
    notes: memory,
    clock,
    log: silent,
    encryptionKey,
    address: () => here,
  })
  const servers = createMcpServers({ clock, log: silent, signIns, admins: ['ben'] })
  onTestFinished(() => servers.stop())
  const file = JSON.stringify({ mcpServers: { desk: { url: desk.url, auth } } })
  await servers.use(readServersFile(file, { file: 'mcp.json', env: {} }).servers)
  const pages = signInPages(() => signIns)

  const run = (name: string, who: typeof ana, more: Partial<ToolContext> = {}, input = '{}') => {
    const tool = servers.tools().find((one) => one.name === `desk__${name}`)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    return tool.run(input, { ...context(), person: who, mayAsk: true, ...more })
  }
  const note = (who: typeof ana, line: string) =>
    run('note', who, { effectId: `x_${who.id}_${line}` }, JSON.stringify({ line }))
  /** What a browser does with a link: reads the page, goes on, signs in as `as`, comes back. */
  async function browse(link: string, as: string | null, cookie?: string) {
    const shown = await (await pages['/mcp/sign-in']?.(new Request(link)))?.text()
    const gone = await pages['/mcp/sign-in']?.(new Request(link, { method: 'POST' }))
    const to = gone?.headers.get('location') ?? null
    if (to === null) return { shown, said: await gone?.text(), back: null }
    desk.visitor = as
    const agreed = await fetch(to, { redirect: 'manual' })
    const back = agreed.headers.get('location') ?? ''
    const own = cookie ?? gone?.headers.get('set-cookie')?.split(';')[0] ?? ''
    const end = await pages['/mcp/callback']?.(new Request(back, { headers: { cookie: own } }))
    return { shown, said: await end?.text(), back, own }
  }
  async function signIn(who: typeof ana, as: string = who.id) {
    const { asks } = await run('sign_in', who)
    await browse(asks?.link ?? '', as)
    return await run('sign_in', who)
  }
  return { desk, memory, servers, signIns, pages, run, note, browse, signIn }
}

it('who is not signed in is handed a link, and the call goes on with their token (C860)', async () => {
  const { desk, memory, run, note, browse } = await bench()
  const { asks } = await run('sign_in', ana)
  expect(asks).toMatchObject({ server: 'desk', alone: true, choices: ['Done there'] })
  const { shown, said } = await browse(asks?.link ?? '', 'ana')
  expect(shown).toContain('Go on only if you are Ana')
  expect(said).toContain('Signed in at “desk”')
  expect(await run('sign_in', ana)).toMatchObject({ ok: true })
  expect(await note(ana, 'hello')).toMatchObject({ text: 'noted as ana' })
  expect(desk.journal).toEqual(['ana: hello'])
  const token = [...desk.tokens.keys()].join('|')
  for (const value of memory.notes.values()) expect(value).not.toMatch(new RegExp(token))
})

it('of two people at one server, each of 1,000 interleaved calls carries the own token (S89)', async () => {
  const { desk, note, signIn } = await bench()
  await signIn(ana)
  await signIn(ben)
  const calls = Array.from({ length: 1_000 }, (_, n) => {
    const who = n % 2 === 0 ? ana : ben
    return () => note(who, `${who.id}-${n}`)
  })
  const lanes = Array.from({ length: 20 }, async (_, lane) => {
    for (let at = lane; at < calls.length; at += 20) await calls[at]?.()
  })
  await Promise.all(lanes)
  expect(desk.journal).toHaveLength(1_000)
  expect(desk.journal.filter((line) => !/^(\w+): \1-/.test(line))).toEqual([])
})

it('a link works once, in the browser that opened it first (S89)', async () => {
  const { run, browse, pages } = await bench()
  const link = (await run('sign_in', ana)).asks?.link ?? ''
  const stolen = await browse(link, 'eve', 'clew_mcp_sign_in=made-up')
  expect(stolen.said).toContain('opened in another browser')
  expect((await browse(link, 'eve')).said).toContain('opened in another browser')
  expect((await run('sign_in', ana)).asks).toBeDefined()

  const fresh = (await run('sign_in', ana)).asks?.link ?? ''
  const { back, own = '' } = await browse(fresh, 'ana')
  const again = await pages['/mcp/callback']?.(
    new Request(back ?? '', { headers: { cookie: own } }),
  )
  expect(await again?.text()).toContain('was used already')
})

it('a sign-in that is refused keeps nothing and says what to do (C861)', async () => {
  const { run, browse } = await bench()
  const { asks } = await run('sign_in', ana)
  const { said } = await browse(asks?.link ?? '', null)
  expect(said).toContain('You didn’t let Clew use “desk”')
  const answer = (kind: ServiceAnswer['kind']) => ({
    answers: [{ step: 1, key: asks?.key ?? '', kind, text: '', choice: 0, author: ana }],
  })
  const pressed = await run('sign_in', ana, answer('answered'))
  expect(pressed.asks?.text).toContain('You’re not signed in yet')
  expect((await run('sign_in', ana, answer('declined'))).text).toContain('did not want to sign in')
})

it('a token that ended is renewed; one that was revoked is asked for again (C861)', async () => {
  const { desk, note, signIn } = await bench()
  await signIn(ana)
  desk.tokens.clear()
  expect(await note(ana, 'renewed')).toMatchObject({ text: 'noted as ana' })
  expect(desk.renewals).toBe(1)
  desk.tokens.clear()
  desk.isRevoked = true
  expect((await note(ana, 'gone')).asks?.link).toContain('/mcp/sign-in')
  // What is left of it is given back, and nothing was noted.
  expect(desk.journal).toEqual(['ana: renewed', 'revoked'])
})

it('signing out revokes the token and drops it; nobody else’s goes with it (C862)', async () => {
  const { desk, signIns, run, note, signIn } = await bench()
  await signIn(ana)
  await signIn(ben)
  expect(await signIns.list({ workspace: 'w', person: 'ana' })).toMatchObject([{ server: 'desk' }])
  expect(await run('sign_out', ana)).toMatchObject({ text: 'signed out of desk' })
  expect(desk.journal).toEqual(['revoked'])
  expect(await signIns.list({ workspace: 'w', person: 'ana' })).toEqual([])
  expect((await note(ana, 'x')).asks).toBeDefined()
  expect(await note(ben, 'y')).toMatchObject({ text: 'noted as ben' })
})

it('one sign-in for all is an admin’s, and then everybody’s (C860)', async () => {
  const { run, note, signIn } = await bench('installation')
  expect((await run('sign_in', ana)).text).toContain('ADMIN_USERS')
  await signIn(ben, 'robot')
  expect(await note(ana, 'x')).toMatchObject({ text: 'noted as robot' })
  expect((await run('sign_out', ana)).text).toContain('ADMIN_USERS')
})

it('a server’s new tool is offered while people are signed in there (C921)', async () => {
  const { run, servers, signIn } = await bench()
  await signIn(ana)
  await run('grow', ana)
  await until(() => servers.tools().some(({ name }) => name === 'desk__extra'))
})

it.each([
  ['person', 'ana'],
  ['installation', undefined],
] as const)(
  'what is read with a sign-in of a %s is kept for its reader: %s (S95)',
  async (auth, only) => {
    const { run, signIn } = await bench(auth)
    await signIn(auth === 'person' ? ana : ben)
    const result = await run('read_resource', ana, {}, '{"uri":"mail://inbox"}')
    expect(result.documents).toMatchObject([{ name: 'mcp://desk/mail://inbox' }])
    expect(result.documents?.[0]?.only).toBe(only)
  },
)

it('work of nobody is told that a person has to ask (C861)', async () => {
  const { run } = await bench()
  const nobody = { person: null } as unknown as Partial<ToolContext>
  expect((await run('sign_in', ana, nobody)).text).toContain('there is none')
})

it('/signins lists a person’s own and signs out; admins also those for everybody (C924)', async () => {
  const { desk, signIns, signIn } = await bench('installation')
  await signIn(ben, 'robot')
  const command = commandFrom(signInsTable, { signIns, admins: ['ben'] })
  const { run } = conversationWith(command, { workspace: 'w' })
  const none = { ok: true, text: 'Clew keeps no sign-in of yours.', private: true }
  expect(await run('list', { person: ana })).toEqual(none)
  expect((await run('out desk', { person: ana })).text).toContain('no sign-in at `desk`')
  expect((await run('', { person: ben })).text).toContain('**desk**, for everybody')
  const out = await run('out desk', { person: ben })
  expect(out).toMatchObject({ ok: true, private: true, text: /for everybody.*revoked/ })
  expect(desk.journal).toEqual(['revoked'])
  expect(await run('list', { person: ben })).toEqual(none)
})

it('/signins of one person ends no other’s (C924)', async () => {
  const { signIns, note, signIn } = await bench()
  for (const who of [ana, ben]) await signIn(who)
  const command = commandFrom(signInsTable, { signIns, admins: ['ben'] })
  const { say } = conversationWith(command, { workspace: 'w', person: ben })
  expect(await say('out desk')).toContain('Your token is revoked')
  expect((await note(ben, 'x')).asks).toBeDefined()
  expect(await note(ana, 'y')).toMatchObject({ text: 'noted as ana' })
})
