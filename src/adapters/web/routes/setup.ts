import type { Context } from 'hono'
import { z } from 'zod'
import { assertNever } from '../../../agent/domain/assert.ts'
import { present } from '../../../agent/domain/present.ts'
import type { Texts } from '../../../locales/texts.ts'
import { type Finding, told } from '../../channel-kit/findings.ts'
import { SetupBody } from '../bodies.ts'
import type { Web } from '../context.ts'
import type { SetupSaved } from '../deps.ts'
import { mayWriteSettings } from '../guard.ts'
import { manualPage, manualPages } from '../manual.ts'
import { ManualHit, searchManual } from '../manual-search.ts'
import { refuse } from '../problems.ts'
import { forMembers, notForMembers } from '../route.ts'
import { SetupFormView, SetupOutcomeView, SetupView, SharedSignInsView } from '../views.ts'

const { route, bodyRoute } = notForMembers

/** State of what is connected and what is missing, for operators, without secrets (C232, S7). */
export const setupRoutes = [
  route('get', '/api/setup', {
    summary: 'What the checks found last; nothing is looked at',
    answer: SetupView,
    handle: async ({ c, web }) => viewOf(web, c),
  }),
  route('post', '/api/setup/check', {
    summary:
      'Begins to look at everything that is connected, at most once at a time and every few seconds',
    status: 202,
    answer: SetupView,
    async handle({ c, web }) {
      web.checks.look().catch((error) => web.log.warn({ err: error }, 'connection check failed'))
      return viewOf(web, c)
    },
  }),
  route('get', '/api/setup/form', {
    summary: 'Settings that can be set from this machine, or with the token; without their values',
    answer: SetupFormView,
    refusals: ['setup_elsewhere'],
    async handle({ c, web }) {
      const form = writable(c, web, web.setup)
      const steps = await form.steps(web.words(c))
      return SetupFormView.parse({ ...form, isWaiting: form.isWaiting(), steps })
    },
  }),
  bodyRoute('post', '/api/setup/form/:part', {
    summary: 'Tries settings against the real service, and writes what works to `.env`',
    body: SetupBody,
    answer: SetupOutcomeView,
    refusals: ['setup_elsewhere', 'unreadable'],
    async handle({ c, web, body: { values } }) {
      const form = writable(c, web, web.setup)
      const part = c.req.param('part')
      const words = web.words(c)
      const { form: lines } = words.page.setup
      const outcome = await form.connect(part, values, words)
      switch (outcome.kind) {
        case 'unknown':
          return refuse('not_found')
        case 'unclear':
        case 'missing':
          return refuse('unreadable', { text: lines[outcome.kind] })
        case 'unreadable':
          return refuse('unreadable', { text: lines.unreadable(outcome.problems.join('\n')) })
        case 'tried': {
          const { findings, hide, saved } = outcome
          const shown = findings.map((finding) => findingView(finding, words, hide))
          const isSaved = saved?.problem === null
          return { findings: shown, saved: isSaved, lines: saved ? linesOf(saved, lines) : [] }
        }
        default:
          return assertNever(outcome)
      }
    },
  }),
  route('post', '/api/setup/restart', {
    summary: 'Starts Clew again in its process, with what was written to `.env`',
    status: 202,
    answer: z.object({}),
    refusals: ['setup_elsewhere'],
    async handle({ c, web }) {
      writable(c, web, web.setup).restart()
      return {}
    },
  }),
  route('get', '/api/setup/sign-ins', {
    summary: 'Servers at which Clew signs in once for everybody',
    answer: SharedSignInsView,
    refusals: ['setup_elsewhere'],
    handle: async ({ c, web }) => ({
      servers: web.signIns == null ? [] : await writable(c, web, web.signIns).list(),
    }),
  }),
  route('post', '/api/setup/sign-ins/:server', {
    summary: 'Begins a sign-in for everybody; the link works once, in the browser that opens it',
    answer: z.object({ link: z.string() }),
    refusals: ['setup_elsewhere', 'unreadable'],
    async handle({ c, web }) {
      const server = c.req.param('server')
      const link = await writable(c, web, web.signIns).begin(server, web.locale(c))
      const { impossible } = web.words(c).page.setup.signIns
      return link === null ? refuse('unreadable', { text: impossible(server) }) : { link }
    },
  }),
  route('delete', '/api/setup/sign-ins/:server', {
    summary: 'Revokes and forgets the sign-in for everybody',
    answer: z.object({ wasSignedIn: z.boolean() }),
    refusals: ['setup_elsewhere'],
    handle: async ({ c, web }) => ({
      wasSignedIn: await writable(c, web, web.signIns).end(c.req.param('server')),
    }),
  }),
]

/** The manual, for everybody who sees the page (C605). */
export const manualRoutes = [
  forMembers.route('get', '/api/manual', {
    summary: 'Pages of the manual, and with `q` the sections in which all these words stand',
    query: ['q'],
    answer: z.object({
      pages: z.array(z.object({ name: z.string(), title: z.string(), language: z.string() })),
      found: z.array(ManualHit),
    }),
    handle: async ({ c, web }) => ({
      pages: manualPages(web.locale(c)),
      found: searchManual((c.req.query('q') ?? '').slice(0, 200), web.locale(c)),
    }),
  }),
  forMembers.route('get', '/api/manual/:name', {
    summary: 'A page of the manual, as `slack`',
    answer: z.object({
      title: z.string(),
      html: z.string(),
      language: z.string().describe('English where it is not translated'),
      parts: z.array(z.string()).describe('Its headings as addresses name them'),
    }),
    handle: async ({ c, web }) => manualPage(c.req.param('name'), web.locale(c)),
  }),
]

function viewOf({ checks, words }: Web, c: Context): SetupView {
  const [checked, isLooking] = [checks.last(), checks.isLooking()]
  if (checked === null) return { checkedAt: null, isLooking, parts: [] }
  const titles: Readonly<Record<string, string>> = words(c).page.setup.parts
  return {
    checkedAt: checked.at,
    isLooking,
    parts: checked.parts.map(({ part, label = part, findings }) => ({
      part,
      title: titles[part] ?? label,
      findings: findings.map((finding) => findingView(finding, words(c), checked.hide)),
    })),
  }
}

function findingView(finding: Finding, words: Texts, hide: (text: string) => string) {
  const {
    verdict,
    line,
    mend = null,
    env = [],
    manual = null,
    isVerbatim,
  } = told(finding, words, hide)
  return { verdict, line, mend, env: [...env], manual, quoted: isVerbatim ?? false }
}

/** Part of Set up, for those who may write Clew's settings (C563, C925). */
function writable<P>(c: Context, { token }: Web, part: P | null | undefined): P {
  if (part == null) return refuse('not_found')
  return mayWriteSettings(c, token) ? part : refuse('setup_elsewhere')
}

/** Sentences about what was written to `.env`. */
function linesOf(
  { names, isCopied, overruled, problem }: SetupSaved,
  words: Texts['page']['setup']['form'],
): string[] {
  if (problem !== null) return [words.notWritten(problem, names.join(', '))]
  return present([
    words.written(names.join(', ')),
    isCopied && words.before,
    overruled.length > 0 && words.overruled(overruled.join(', ')),
  ])
}
