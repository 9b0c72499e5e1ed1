import { LRUCache } from 'lru-cache'
import type { Tool, ToolContext, ToolResult } from '../../agent/ports/tool.ts'
import { everybody } from '../../agent/sign-ins.ts'
import { texts } from '../../locales/texts.ts'
import type { ServerDeps } from './running.ts'
import { type McpServer, startServer } from './server.ts'
import type { ServerSpec } from './servers-file.ts'
import type { Owner, SignIns } from './sign-ins.ts'

type Spec = Extract<ServerSpec, { kind: 'http' }>

export interface PersonalDeps extends ServerDeps {
  /** `null`: this Clew cannot keep tokens. */
  signIns: SignIns | null
  /** Ids of those who may sign in for everybody. */
  admins: readonly string[]
}

/** Connections that are open at once, and how long one is kept without a call, in ms. */
const openMost = 200
const idleMs = 70 * 60_000
/** Key of the question for a sign-in, which comes before the call (`calls.ts`). */
const signInKey = 'before:sign-in'

/**
 * Server whose calls carry the token of the person who asked, each over a connection of their own
 * (C860). Who is not signed in is handed a link, and the call goes on afterwards.
 *
 * Contract: as `startServer`. Its tools are known once somebody has signed in; until then it offers
 * the sign-in alone.
 */
export function startPersonal(spec: Spec, deps: PersonalDeps): McpServer {
  const { signIns } = deps
  const service = { server: spec.name, url: spec.url }
  let known: readonly Tool[] = []
  let offered: readonly Tool[] = []
  let prompts: ReturnType<McpServer['prompts']> = []
  const open = new LRUCache<string, McpServer>({
    max: openMost,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (server) => void server.stop(),
  })

  /** Connection of an owner, once its tools are listed. */
  async function connectionOf(owner: Owner) {
    const name = JSON.stringify([owner.workspace, owner.person])
    const found = open.get(name)
    const server: McpServer =
      found ??
      startServer(spec, {
        ...deps,
        token: async () => (await signIns?.tokenFor(service, owner)) ?? null,
        changed: () => takeUp(server),
      })
    if (found === undefined) open.set(name, server)
    await server.tried
    if (server.health().signIn) open.delete(name)
    else if (server.health().ok) takeUp(server)
    return server
  }

  function takeUp(server: McpServer) {
    offer(server.tools())
    prompts = server.prompts()
  }

  /** Takes up a list of tools; the tools offered stay the same ones while it does not change. */
  function offer(tools: readonly Tool[]) {
    const isSame =
      tools.length === known.length && tools.every((tool, at) => sameTool(tool, known[at]))
    if (isSame && offered.length > 0) return
    known = tools
    const called = (tool: Tool) => ({
      ...tool,
      run: (input: string, context: ToolContext) => call(tool.name, input, context),
      drop: (id: string) => {
        for (const server of open.values())
          server
            .tools()
            .find((one) => one.name === tool.name)
            ?.drop?.(id)
      },
    })
    offered = [...known.map(called), signIn, signOut]
  }

  /** The connection of whoever a call is for, or what stands in its way. */
  async function connected(context: ToolContext): Promise<McpServer | ToolResult> {
    const owner = ownerOf(spec, context)
    if (owner === null || signIns === null) return { ok: false, text: nobody(spec.name) }
    if ((await signIns.tokenFor(service, owner)) === null) return await wanted(context, owner)
    const server = await connectionOf(owner)
    if (!server.health().signIn) return server
    // Refused before anything was done: a fresh token may do, else the person signs in again.
    if (!(await signIns.renew(service, owner))) return await ended(context, owner)
    const fresh = await connectionOf(owner)
    return fresh.health().signIn ? await ended(context, owner) : fresh
  }

  async function ended(context: ToolContext, owner: Owner) {
    await signIns?.signOut(service, owner)
    return await wanted(context, owner)
  }

  /** Asks the person to sign in; for everybody, an admin alone. */
  async function wanted(context: ToolContext, owner: Owner): Promise<ToolResult> {
    const { person, locale, answers = [], mayAsk = false } = context
    const words = texts(locale).core
    const given = answers.findLast(({ key }) => key === signInKey)
    if (given !== undefined && given.kind !== 'answered')
      return { ok: false, text: declined(spec.name) }
    if (owner.person === '' && !deps.admins.includes(person?.id ?? ''))
      return { ok: false, text: adminsOnly(spec.name) }
    if (!mayAsk || person === null) return { ok: false, text: nobody(spec.name) }
    const link = await signIns?.begin(service, owner, { name: person.name, locale })
    if (link == null) return { ok: false, text: impossible(spec.name) }
    const { asks, again } = words.signIn
    const text = given === undefined ? asks : `${again}\n\n${asks}`
    const choices = [words.service.opened]
    return {
      ok: false,
      text: '',
      asks: { key: signInKey, server: spec.name, text, choices, alone: true, link },
    }
  }

  async function call(name: string, input: string, context: ToolContext): Promise<ToolResult> {
    const server = await connected(context)
    if (!('tools' in server)) return server
    const tool = server.tools().find((one) => one.name === name)
    if (tool === undefined)
      return {
        ok: false,
        text: `not done: the server "${spec.name}" is away just now, or has no tool ${name} for this person`,
      }
    const result = await tool.run(input, context)
    if (!server.health().signIn) return ownOf(result, context)
    // The token was refused, so nothing was done.
    const again = await connected(context)
    if (!('tools' in again)) return again
    const fresh = again.tools().find((one) => one.name === name)
    return ownOf((await fresh?.run(input, context)) ?? result, context)
  }

  /** S95: what is read with a person's own sign-in is kept for their tasks alone. */
  function ownOf(result: ToolResult, context: ToolContext): ToolResult {
    const only = ownerOf(spec, context)?.person ?? ''
    if (only === '' || result.documents === undefined) return result
    return { ...result, documents: result.documents.map((one) => ({ ...one, only })) }
  }

  const signIn: Tool = {
    name: `${spec.name}__sign_in`,
    effect: 'none',
    description: `Signs the person in at ${spec.name} and lists its tools, which are there afterwards. Input: {}.`,
    async run(_, context) {
      const server = await connected(context)
      if (!('tools' in server)) return server
      const names = server.tools().map((tool) => tool.name)
      return { ok: true, text: `signed in; tools of ${spec.name}: ${names.join(', ')}` }
    },
  }
  const signOut: Tool = {
    name: `${spec.name}__sign_out`,
    effect: 'keyed',
    approval: 'never',
    sources: { interactive: true, unattended: false },
    description: `Signs the person out of ${spec.name}: their token is revoked and forgotten. Input: {}.`,
    async run(_, context) {
      const owner = ownerOf(spec, context)
      if (owner === null || (owner.person === '' && !isAdmin(context)))
        return { ok: false, text: adminsOnly(spec.name) }
      open.delete(JSON.stringify([owner.workspace, owner.person]))
      const was = (await signIns?.signOut(service, owner)) ?? false
      return { ok: true, text: was ? `signed out of ${spec.name}` : `was not signed in` }
    },
  }
  offer([])
  const isAdmin = ({ person }: ToolContext) => deps.admins.includes(person?.id ?? '')

  return {
    tools: () => offered,
    prompts: () => prompts,
    async fill(name, values, asker) {
      const { signal } = new AbortController()
      const server = await connected({ ...asker, mayAsk: false, signal })
      return 'tools' in server ? await server.fill(name, values, asker) : { problem: 'sign_in' }
    },
    tried: Promise.resolve(),
    health: () => ({
      name: spec.name,
      ok: signIns !== null,
      tools: known.length,
      detail: signIns === null ? 'needs ENCRYPTION_KEY, to keep sign-ins' : 'people sign in',
      signIn: false,
      odd: [],
    }),
    async stop() {
      const all = [...open.values()]
      open.clear()
      await Promise.all(all.map((server) => server.stop()))
    },
  }
}

const sameTool = (one: Tool, other: Tool | undefined) =>
  one.name === other?.name &&
  one.description === other.description &&
  JSON.stringify(one.origin) === JSON.stringify(other.origin)

/** Owner of the token that a call carries: the person who asked, or all (S89). */
function ownerOf({ auth }: Spec, { workspace, person }: ToolContext): Owner | null {
  if (auth === 'installation') return everybody
  return person && { workspace, person: person.id }
}

const nobody = (server: string) =>
  `not done: the server "${server}" works with the sign-in of the person who asks, and there is none. Say so: they can ask for it in a thread`

const adminsOnly = (server: string) =>
  `not done: the server "${server}" wants one sign-in for everybody. Say so, and that somebody of ADMIN_USERS can ask for it once, or sign in on the page Set up`

const declined = (server: string) =>
  `not done: the person did not want to sign in at "${server}". Say so, and go on without it`

const impossible = (server: string) =>
  `not done: no sign-in at the server "${server}" can begin just now. Say so, and that whoever runs Clew looks whether the server is there and WEB_URL is set`
