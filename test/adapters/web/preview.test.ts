import { expect, it } from 'vitest'
import { whoseIs } from '../../../src/adapters/web/names.ts'
import { previewOf } from '../../../src/adapters/web/render.ts'
import { page as en } from '../../../src/locales/en/page.ts'
import { page as zh } from '../../../src/locales/zh/page.ts'

it.each([
  [
    '任务已完成：比较场地\n\n选了里斯本。\n没做的步骤：订酒店。',
    '选了里斯本。 没做的步骤：订酒店。',
  ],
  ['Compare venues: done.\n\nWe take Lisbon.', 'We take Lisbon.'],
  ['## Venues\n\n| City | Price |\n| --- | ---: |\n| Porto | 900 |', 'City Price Porto 900'],
  ['| 城市 | 价格 |\n|---|---:|\n| 波尔图 | 900 |', '城市 价格 波尔图 900'],
  ['任务已完成：比较场地', '任务已完成：比较场地'],
  ['Lisbon -- as agreed', 'Lisbon -- as agreed'],
])('%j is previewed without its title and the rules of tables (C196)', (text, preview) =>
  expect(previewOf(text)).toBe(preview),
)

it('says whose thread is to be deleted where others wrote in it (C906)', () => {
  const by = (...ids: string[]) => ({ messages: ids.map((id) => ({ author: { id, name: id } })) })
  expect(whoseIs(by('Ana'), 'Ana', en)).toBeNull()
  expect(whoseIs(by('Ben', 'Ana', 'Ben'), 'Ana', en)).toBe('This is not your thread: Ben wrote it.')
  expect(whoseIs(by('Ana', 'Ben', 'Cleo'), 'Ana', zh)).toContain('Ben和Cleo也在这里写过')
})
