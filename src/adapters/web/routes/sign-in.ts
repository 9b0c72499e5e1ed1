import type { Context } from 'hono'
import { z } from 'zod'
import { Author } from '../../../agent/domain/message.ts'
import { pageAssets } from '../assets.ts'
import type { App, Web } from '../context.ts'
import { signInDocument } from '../document.ts'
import { signedOut } from '../events.ts'
import { ProblemError, refuse, sentenceFor, statusOf } from '../problems.ts'
import { forMembers } from '../route.ts'
import { viewerOf } from '../viewer.ts'

/** Ways to sign in. Each begins at the page's public address, to which the platform redirects. */
export const platformsOf = ({ members, url }: Web) =>
  members.map(({ platform, label }) => ({
    label,
    href: new URL(`/sign-in/${platform}`, url ?? undefined).href,
  }))

/** Viewer of the page. Operators give a name of their own with each message. */
export const sessionRoute = forMembers.route('get', '/api/session', {
  summary: 'Who is signed in',
  answer: z.object({
    kind: z.enum(['operator', 'member']),
    platform: z.string().nullable(),
    person: Author.nullable(),
    open: z.boolean().describe('There is nothing to sign in or out of'),
  }),
  async handle({ c, web }) {
    const { token } = web
    const viewer = viewerOf(c)
    if (viewer.kind === 'operator')
      return { kind: 'operator' as const, platform: null, person: null, open: token === null }
    const { platform, person } = viewer.member
    return { kind: 'member' as const, platform, person, open: false }
  },
})

/**
 * Routes to sign in, by the token or with a platform (S25), and to sign out (S27). All of them end
 * on the page and nowhere else.
 */
export function addSignInRoutes(app: App, web: Web): void {
  const { door, reach } = web

  /** Runs one step; a failure is shown on the sign-in page. */
  const step = (work: (c: Context) => Promise<void>) => async (c: Context) => {
    c.header('Cache-Control', 'no-store')
    try {
      await work(c)
      return c.redirect('/', 303)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const words = web.words(c)
      const shown = { problem: sentenceFor(error.problem, words), platforms: platformsOf(web) }
      return c.html(signInDocument(words, await pageAssets(), shown), statusOf(error.problem))
    }
  }
  const signIn = step(async (c) => {
    const { token } = await c.req.parseBody()
    await reach(() => door.signIn(c, typeof token === 'string' ? token.trim() : ''))
  })
  const signOut = step(async (c) => {
    const { everywhere } = await c.req.parseBody()
    const ended = await reach(() => door.signOut(c, everywhere !== undefined))
    // Open streams end at once, in every process. If this notice is lost, they check by themselves
    // within seconds.
    if (ended !== null) await web.events.append(null, signedOut(ended)).catch(() => undefined)
  })

  app.post('/sign-in', signIn)
  app.post('/sign-out', signOut)
  app.get('/sign-in/:platform', async (c) => {
    const { members, redirectUri } = platformIn(web, c)
    c.header('Cache-Control', 'no-store')
    return c.redirect(await members.begin({ ...door.begin(c, members.platform), redirectUri }), 302)
  })
  app.get(
    '/sign-in/:platform/back',
    step((c) => comeBack(web, c)),
  )
}

function platformIn({ members, url }: Web, c: Context) {
  const one = members.find(({ platform }) => platform === c.req.param('platform'))
  if (one === undefined || url === null) return refuse('not_found')
  return { members: one, redirectUri: new URL(`/sign-in/${one.platform}/back`, url).href }
}

/** Completes a sign-in when the platform redirects the browser back. */
async function comeBack(web: Web, c: Context) {
  const { members, redirectUri } = platformIn(web, c)
  const { door, reach } = web
  door.wrong.refuse(c)
  const begun = (await reach(() => door.begun(c, members.platform))) ?? refuse('sign_in_expired')
  const signedIn = await members.finish({ ...begun, redirectUri }, new URL(c.req.url))
  if (signedIn.kind === 'member') {
    const { member } = signedIn
    if (!web.mayUse(member.person.id, null)) refuse('not_on_list')
    return await reach(() => door.admit(c, { kind: 'member', ...member }))
  }
  if (signedIn.kind === 'failed') door.wrong.note(c, c.req.query('code') ?? '')
  refuse(problems[signedIn.kind])
}

const problems = {
  refused: 'sign_in_refused',
  stranger: 'not_with_clew',
  failed: 'sign_in_failed',
} as const
