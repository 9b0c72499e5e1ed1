import { createHash, randomBytes } from 'node:crypto'
import {
  auth,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { within } from '../../agent/deadline.ts'
import { jsonIn } from '../../agent/domain/clean-text.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { seal, unseal } from '../sealed.ts'

/** Namespace of sign-ins that have begun; who began one is known only by its state. */
const begunIn = 'mcp:sign-ins'
/** Time in which a link works, in milliseconds. */
const linkMs = 30 * 60_000
/** Time before its end at which a token is renewed, and that one process has for it, in ms. */
const renewBeforeMs = 60_000
const renewalMs = 30_000

/** Server that wants a sign-in. A token is for this address and no other. */
interface Service {
  server: string
  url: string
}

/** Owner of a sign-in; `person` is blank for one that all share. */
export interface Owner {
  workspace: string
  person: string
}

/** State of one OAuth flow, and afterwards what its tokens need to be renewed. */
interface Flow {
  client?: StoredOAuthClientInformation | undefined
  discovery?: OAuthDiscoveryState | undefined
  tokens?: StoredOAuthTokens | undefined
  verifier?: string
  page?: string
}

export interface Begun extends Service, Owner {
  /** Display name of the person, for the page. */
  name: string
  locale: string
  flow: Flow
  /** Secret of the browser that opened the link first. */
  browser?: string
}

interface Kept extends Service {
  flow: Flow
  at: number
  /** End of the token in milliseconds since the epoch; `null`: not told. */
  until: number | null
}

export interface SignInDeps {
  notes: Pick<Notes, 'get' | 'put' | 'drop' | 'claim'>
  clock: Clock
  log: Log
  /** Key of the store's secrets, in base64. */
  encryptionKey: string
  /** Address under which browsers reach Clew; `null`: none is known. */
  address(): string | null
}

export type SignIns = ReturnType<typeof createSignIns>

/**
 * Sign-ins of people at MCP servers by OAuth 2.1, as the protocol's client does it: discovery,
 * registration, PKCE, renewal.
 *
 * Contract: tokens are encrypted in the store under their person, server and address, and no call
 * gets those of another (S89). A link works once, in one browser, for 30 minutes.
 */
export function createSignIns(deps: SignInDeps) {
  const { notes, clock, log, address } = deps
  const secret = Buffer.from(deps.encryptionKey, 'base64')
  const kept = createKept(notes, secret)
  const renewing = new Map<string, Promise<boolean>>()

  /** Renews a token; false: the person has to sign in again. */
  async function renew(service: Service, owner: Owner) {
    const found = await kept.get(service, owner)
    if (found?.flow.tokens?.refresh_token === undefined) return false
    // A refresh token may work once, so only one process uses it.
    const name = `renewal:${nameOf(service, owner)}`
    if (!(await notes.claim(owner.workspace, name, renewalMs))) return true
    const flow = { ...found.flow }
    try {
      const provider = providerOf(flow, redirectTo(address()), 'renewal')
      if ((await auth(provider, { serverUrl: service.url })) !== 'AUTHORIZED') return false
      await kept.put(owner, { ...found, flow, until: endOf(flow, clock.now()) })
      return true
    } catch (error) {
      log.warn({ server: service.server, reason: reasonOf(error) }, 'MCP token not renewed')
      return false
    }
  }

  function renewOnce(service: Service, owner: Owner) {
    const name = nameOf(service, owner)
    const running = renewing.get(name)
    if (running !== undefined) return running
    const next = renew(service, owner).finally(() => renewing.delete(name))
    renewing.set(name, next)
    return next
  }

  async function begunUnder(state: string) {
    const sealed = /^[\w-]{20,60}$/.test(state) ? await notes.get(begunIn, state) : null
    return sealed === null ? null : (jsonIn(unseal(secret, state, sealed)) as Begun)
  }
  const putBegun = (state: string, begun: Begun) =>
    notes.put(begunIn, state, seal(secret, state, JSON.stringify(begun)), linkMs)

  return {
    /** Token for a call; `null`: the person has to sign in. */
    async tokenFor(service: Service, owner: Owner) {
      const found = await kept.get(service, owner)
      const isEnding = found?.until != null && found.until - clock.now() < renewBeforeMs
      if (isEnding) await renewOnce(service, owner)
      const now = isEnding ? await kept.get(service, owner) : found
      return now?.flow.tokens?.access_token ?? null
    },
    renew: renewOnce,
    /**
     * Returns the link that begins a sign-in; `null` if none can begin, as the log says why. Never
     * throws.
     */
    async begin(service: Service, owner: Owner, { name, locale }: Pick<Begun, 'name' | 'locale'>) {
      const base = address()
      if (base === null) return null
      const state = randomBytes(24).toString('base64url')
      const flow: Flow = {}
      const provider = providerOf(flow, redirectTo(base), state)
      try {
        await auth(provider, { serverUrl: service.url, forceReauthorization: true })
      } catch (error) {
        const why = (error instanceof Error ? error.message : String(error)).slice(0, 300)
        log.warn({ server: service.server, why }, 'no MCP sign-in could begin')
        return null
      }
      await putBegun(state, { ...service, ...owner, name, locale, flow })
      const link = new URL('/mcp/sign-in', base)
      link.searchParams.set('state', state)
      return link.href
    },
    begun: begunUnder,
    /** Binds a sign-in to the browser that opened it first; `null`: another one did. */
    async open(state: string, begun: Begun) {
      if (begun.browser !== undefined) return null
      const browser = randomBytes(24).toString('base64url')
      await putBegun(state, { ...begun, browser })
      return browser
    },
    /** Exchanges the code; true: the person is signed in. Never throws. */
    async finish(state: string, begun: Begun, back: URLSearchParams) {
      if (!(await notes.claim(begunIn, `done:${state}`, linkMs))) return false
      await notes.drop(begunIn, state)
      const { server, url, workspace, person } = begun
      const flow = { ...begun.flow }
      const iss = back.get('iss') ?? undefined
      try {
        const provider = providerOf(flow, redirectTo(address()), state)
        const authorizationCode = back.get('code') ?? ''
        await auth(provider, {
          serverUrl: url,
          authorizationCode,
          iss,
        })
        if (flow.tokens === undefined) return false
        const at = clock.now()
        await kept.put({ workspace, person }, { server, url, flow, at, until: endOf(flow, at) })
        return true
      } catch (error) {
        log.warn({ server, reason: reasonOf(error) }, 'MCP sign-in failed')
        return false
      }
    },
    /** Drops a sign-in that was declined. */
    refuse: (state: string) => notes.drop(begunIn, state),
    /** Signs a person out: the tokens are revoked where the server can, and dropped. */
    async signOut(service: Service, owner: Owner) {
      const found = await kept.get(service, owner)
      if (found === null) return false
      await revoke(found.flow, clock).catch((error) =>
        log.warn({ server: service.server, reason: reasonOf(error) }, 'MCP token not revoked'),
      )
      await kept.drop(service, owner)
      return true
    },
    /** Sign-ins of a person, without their tokens. */
    list: kept.list,
  }
}

/** Tokens in the store, and for each owner an index of them. */
function createKept(notes: SignInDeps['notes'], secret: Buffer) {
  const indexOf = async ({ workspace, person }: Owner): Promise<(Service & { at: number })[]> => {
    const index = await notes.get(workspace, `mcp:index:${person}`)
    return index === null ? [] : (jsonIn(index) as (Service & { at: number })[])
  }
  const putIndex = ({ workspace, person }: Owner, all: readonly object[]) =>
    all.length === 0
      ? notes.drop(workspace, `mcp:index:${person}`)
      : notes.put(workspace, `mcp:index:${person}`, JSON.stringify(all), null)
  const others = (all: readonly (Service & { at: number })[], { server, url }: Service) =>
    all.filter((one) => one.server !== server || one.url !== url)
  return {
    async get(service: Service, owner: Owner) {
      const name = nameOf(service, owner)
      const sealed = await notes.get(owner.workspace, name)
      if (sealed === null) return null
      try {
        return jsonIn(unseal(secret, `${owner.workspace} ${name}`, sealed)) as Kept
      } catch {
        // Written with another key: the person signs in again.
        return null
      }
    },
    async put(owner: Owner, kept: Kept) {
      const name = nameOf(kept, owner)
      const sealed = seal(secret, `${owner.workspace} ${name}`, JSON.stringify(kept))
      await notes.put(owner.workspace, name, sealed, null)
      const { server, url, at } = kept
      await putIndex(owner, [...others(await indexOf(owner), kept), { server, url, at }])
    },
    async drop(service: Service, owner: Owner) {
      await notes.drop(owner.workspace, nameOf(service, owner))
      await putIndex(owner, others(await indexOf(owner), service))
    },
    list: indexOf,
  }
}

/** Name of a sign-in: the address is in it, so that a file that changes it takes no token along. */
function nameOf({ server, url }: Service, { person }: Owner): string {
  const place = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return `mcp:token:${server}:${place}:${person}`
}

const redirectTo = (base: string | null) =>
  new URL('/mcp/callback', base ?? 'http://127.0.0.1').href

const endOf = ({ tokens }: Flow, now: number) =>
  tokens?.expires_in === undefined ? null : now + tokens.expires_in * 1_000

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

/** The protocol's client over one flow, whose fields it reads and writes. */
const providerOf = (flow: Flow, redirectUrl: string, state: string): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: {
    client_name: 'Clew',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  state: () => state,
  clientInformation: () => flow.client,
  saveClientInformation: (client) => {
    flow.client = client
  },
  tokens: () => flow.tokens,
  saveTokens: (tokens) => {
    flow.tokens = tokens
  },
  redirectToAuthorization: (page) => {
    flow.page = page.href
  },
  saveCodeVerifier: (verifier) => {
    flow.verifier = verifier
  },
  codeVerifier: () => flow.verifier ?? '',
  saveDiscoveryState: (discovery) => {
    flow.discovery = discovery
  },
  discoveryState: () => flow.discovery,
})

const revokeMs = 5_000

/** RFC 7009, where the authorization server has it. */
async function revoke({ tokens, client, discovery }: Flow, clock: Clock) {
  const metadata = discovery?.authorizationServerMetadata ?? {}
  const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : null
  if (typeof endpoint !== 'string' || tokens === undefined || client === undefined) return
  const token = tokens.refresh_token ?? tokens.access_token
  const fields = { token, client_id: client.client_id }
  const { client_secret: secret } = client
  const body = new URLSearchParams(
    secret === undefined ? fields : { ...fields, client_secret: secret },
  )
  await within(clock, revokeMs, new AbortController().signal, (signal) =>
    fetch(endpoint, { method: 'POST', body, signal }),
  )
}
