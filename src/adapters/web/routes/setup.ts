import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'hono'
import { z } from 'zod'
import { told } from '../../channel-kit/findings.ts'
import type { Web } from '../context.ts'
import { renderMarkdown } from '../markdown.ts'
import { refuse } from '../problems.ts'
import { routesWith } from '../route.ts'
import { SetupView } from '../views.ts'

const { route } = routesWith()

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
  route('get', '/api/manual/:name', {
    summary: 'A page of the manual, as `slack`',
    answer: z.object({ title: z.string(), html: z.string() }),
    async handle({ c }) {
      const [heading = '', ...lines] = pageOf(c.req.param('name')).split('\n')
      const html = renderMarkdown(lines.join('\n'), () => true)
      return { title: heading.replace(/^# /, ''), html }
    },
  }),
]

// In the package everything is one folder deeper.
const folders = ['../../../..', '../../../../..'].map((up) => join(import.meta.dirname, up, 'docs'))

function pageOf(name: string): string {
  const paths = /^[a-z-]+$/.test(name) ? folders.map((folder) => join(folder, `${name}.md`)) : []
  const path = paths.find((one) => existsSync(one)) ?? refuse({ code: 'not_found' })
  return readFileSync(path, 'utf8')
}

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
      findings: findings.map((finding) => {
        const {
          verdict,
          line,
          mend = null,
          env = [],
          manual = null,
          isVerbatim,
        } = told(finding, words(c), checked.hide)
        return { verdict, line, mend, env: [...env], manual, quoted: isVerbatim ?? false }
      }),
    })),
  }
}
