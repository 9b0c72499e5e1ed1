import { expect, it } from 'vitest'
import { linesPerArea } from '../../scripts/proportion.ts'

it('counts every line in the first area that its path belongs to, and leaves no file of the source out', () => {
  const counted = linesPerArea([
    { path: 'src/adapters/slack/send.ts', source: 'a\nb\n' },
    { path: 'src/adapters/text.ts', source: 'a\n' },
    { path: 'src/adapters/channel-kit/post.ts', source: 'a\n' },
    { path: 'src/adapters/new/file.ts', source: 'a\n' },
    { path: 'src/adapters/web/page/styles/plan.css', source: 'a\n' },
    { path: 'src/adapters/web/page/page.tsx', source: 'a\nb\nc\n' },
    { path: 'src/agent/contracts.ts', source: 'a\n' },
    { path: 'src/agent/new.ts', source: 'a\n' },
    { path: 'src/main.ts', source: 'a\n' },
    { path: 'scripts/doctor.ts', source: 'a\n' },
  ])
  expect(Object.fromEntries(counted)).toEqual({
    Slack: 2,
    'what channels share': 2,
    'page, CSS': 1,
    page: 3,
    'domain, ports and contracts': 1,
    'verbs and kernel': 1,
    'the rest': 3,
  })
})
