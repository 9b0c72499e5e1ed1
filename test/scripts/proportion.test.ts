import { expect, it } from 'vitest'
import { areas, proportion } from '../../scripts/proportion.ts'

it('counts every line in the first area that its path belongs to', () => {
  const rows = proportion([
    { path: 'src/adapters/slack/send.ts', source: 'a\nb\n' },
    { path: 'src/adapters/web/page/page.css', source: 'a\n' },
    { path: 'src/adapters/web/page/page.ts', source: 'a\nb\nc\n' },
    { path: 'src/main.ts', source: 'a\n' },
    { path: 'scripts/doctor.ts', source: 'a\n' },
  ])
  const counted = Object.fromEntries(rows.filter(({ lines }) => lines > 0).map(({ name, lines }) => [name, lines]))
  expect(counted).toEqual({ Slack: 2, 'page, CSS': 1, page: 3, 'the rest': 2 })
})

it('leaves no file of the source out', () => {
  for (const path of ['src/new/file.ts', 'scripts/new.ts', 'src/agent/new.ts', 'src/adapters/new/file.ts'])
    expect(
      areas.some(({ paths, ending = '' }) => path.endsWith(ending) && paths.some((one) => path.startsWith(one))),
    ).toBe(true)
})
