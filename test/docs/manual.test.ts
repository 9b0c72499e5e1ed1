import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { headingsIn, manualPage, manualPages } from '../../src/adapters/web/manual.ts'
import { searchManual } from '../../src/adapters/web/manual-search.ts'

const levelsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length)

const partsOf = new Map(
  manualPages('en').map(({ name }) => [name, manualPage(name, 'en').parts] as const),
)
const isThere = (link: string): boolean => {
  const [name = '', part] = link.split('/')
  const parts = partsOf.get(name)
  return parts !== undefined && (!part || parts.includes(part))
}

describe('the manual on the page', () => {
  const translated = readdirSync('docs/zh').map((file) => file.replace('.md', ''))

  it('is in Chinese for what a team reads, and in English where it is not translated (C700)', () => {
    expect(translated.toSorted()).toEqual(
      ['commands', 'connect', 'discord', 'everyday', 'memory', 'schedules', 'slack'].toSorted(),
    )
    for (const { name, title, language } of manualPages('zh')) {
      const isChinese = translated.includes(name)
      expect([name, language]).toEqual([name, isChinese ? 'zh' : 'en'])
      expect(/\p{Script=Han}/u.test(title), title).toBe(isChinese)
    }
    expect(manualPage('slack', 'zh').html).toContain('邀请')
  })

  it.each(translated)('has the headings of the English page: %s (C700)', (name) => {
    const own = `docs/zh/${name}.md`
    expect(levelsIn(own)).toEqual(levelsIn(`docs/${name}.md`))
    expect(manualPage(name, 'zh').parts).toEqual(
      headingsIn(readFileSync(`docs/${name}.md`, 'utf8')),
    )
  })

  it.each(['en', 'zh'])(
    'leads to pages and headings that are there, from every page: %s (C605)',
    (language) => {
      for (const { name } of manualPages(language)) {
        const { html } = manualPage(name, language)
        const links = [...html.matchAll(/href="#\/manual\/([^"]*)"/g)].map(([, to = '']) => to)
        expect(
          links.filter((to) => !isThere(to)),
          name,
        ).toEqual([])
        expect(html, name).not.toMatch(
          /manual\.invalid|<img|&lt;!--|The pictures show|\*\*|\.md<\/a>/,
        )
        expect(html, name).not.toMatch(/\((?:C|S|R|F|P)\d+[),;]/)
      }
      const slack = manualPage('slack', language).html
      expect(slack, 'the manifest').toContain('href="#/setup"')
      expect(slack).toContain('ALLOWED_CHANNELS=C')
      const commands = manualPage('commands', language).html
      expect(commands, 'a form a line').toMatch(
        /\n\/todo done\|reopen\|delete [^\n]*\n\/todo update/,
      )
    },
  )

  it('finds every setting by its name, and a heading before a mention, in both languages (C900)', () => {
    const names = readFileSync('.env.example', 'utf8').match(/^# ?[A-Z][A-Z0-9_]+(?==)/gm) ?? []
    expect(names.length).toBeGreaterThan(100)
    for (const line of names) {
      const name = line.replace(/^# ?/, '')
      const [hit] = searchManual(name, 'en')
      expect(hit?.heading.split(', ')).toContain(name)
      expect(isThere(`${hit?.name}/${hit?.part}`), name).toBe(true)
      expect(hit?.name).toBe('settings')
    }
    const partsFor = (query: string) => searchManual(query, 'en').map(({ part }) => part)
    expect(partsFor('ONE privacy')).toEqual(partsFor('privacy one'))
    expect(partsFor('ONE privacy').length).toBeGreaterThan(0)
    expect(searchManual('没有这样的话', 'zh')).toEqual([])
    expect(searchManual('邀请', 'zh')[0]?.heading).toContain('邀请')
    expect(searchManual(' ', 'en')).toEqual([])
  })

  it('has the section that each check of Set up leads to (C233)', () => {
    const files = ['model', 'search', 'team', 'examine'].map((name) => `src/doctor/${name}.ts`)
    const sources = [...files, 'src/adapters/discord/doctor.ts', 'src/adapters/slack/doctor.ts']
    const led = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:manual(?: =|:)|application =) '([^']+)'/g)].map(
        ([, to = '']) => to,
      ),
    )
    expect(led.length).toBeGreaterThan(10)
    expect(led.filter((to) => !isThere(to))).toEqual([])
    for (const platform of ['slack', 'discord'])
      expect(isThere(`${platform}/signing-in-on-the-page`)).toBe(true)
  })
})
