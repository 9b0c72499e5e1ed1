import { parse, serialize } from 'hono/utils/cookie'
import { texts } from '../../locales/texts.ts'
import { plainPage } from '../plain-page.ts'
import type { Begun, SignIns } from './sign-ins.ts'

const cookieName = 'clew_mcp_sign_in'

type Pages = Record<string, (request: Request) => Promise<Response>>

/**
 * Pages of a sign-in at an MCP server: one that says whose it is, and the one that browsers come
 * back to. The first browser that goes on is the only one that can finish it.
 */
export function signInPages(signIns: () => SignIns | null): Pages {
  return {
    '/mcp/sign-in': (request) => opened(request, signIns()),
    '/mcp/callback': (request) => cameBack(request, signIns()),
  }
}

const stateOf = ({ url }: Request) => new URL(url).searchParams.get('state') ?? ''
const unknown = () => plainPage(texts('en').core.signIn.unknown, 404)

/** Words of a sign-in; one that all share says so. */
function wordsOf({ locale, person }: Begun) {
  const { shared, ...own } = texts(locale).core.signIn
  return person === '' ? Object.assign(own, shared) : own
}

async function opened(request: Request, signIns: SignIns | null): Promise<Response> {
  const state = stateOf(request)
  const begun = (await signIns?.begun(state)) ?? null
  if (signIns === null || begun === null) return unknown()
  const { server, name, flow } = begun
  const words = wordsOf(begun)
  const page = flow.page ?? ''
  const { host } = new URL(page)
  if (request.method !== 'POST') return plainPage(words.page(name, server, host), 200, words.go)
  const browser = await signIns.open(state, begun)
  if (browser === null) return plainPage(words.usedUp, 409)
  const cookie = serialize(cookieName, browser, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/mcp',
    secure: request.url.startsWith('https:'),
  })
  return new Response(null, { status: 303, headers: { location: page, 'set-cookie': cookie } })
}

async function cameBack(request: Request, signIns: SignIns | null): Promise<Response> {
  const state = stateOf(request)
  const begun = (await signIns?.begun(state)) ?? null
  if (signIns === null || begun === null) return unknown()
  const words = wordsOf(begun)
  const cookie = parse(request.headers.get('cookie') ?? '', cookieName)[cookieName]
  if (begun.browser === undefined || cookie !== begun.browser) return plainPage(words.usedUp, 403)
  const back = new URL(request.url).searchParams
  if (back.get('code') === null) {
    await signIns.refuse(state)
    return plainPage(words.refused(begun.server), 200)
  }
  return (await signIns.finish(state, begun, back))
    ? plainPage(words.done(begun.server), 200)
    : plainPage(words.failed(begun.server), 502)
}
