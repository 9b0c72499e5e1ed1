import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from './manual-settings.ts'
import { renderMarkdown } from './markdown.ts'
import { refuse } from './problems.ts'

/*
 * The manual that comes with the package, for reading on the page (C605).
 */

/** Its pages, in the order in which people need them. */
export const manualNames = [
  'everyday',
  'slack',
  'discord',
  'commands',
  'schedules',
  'memory',
  'connect',
  'models',
  'agent-home',
  'extending',
  'coding',
  'connectors',
  'events',
  'settings',
  'operations',
  'scaling',
  'security',
]

// In the package everything is one folder deeper.
const folders = ['../../..', '../../../..'].map((up) => join(import.meta.dirname, up))

/** Name, title and language of each page. Those that are not translated are in English (C700). */
export const manualPages = (wanted: string) =>
  manualNames.map((name) => {
    const { text, language } = sourceOf(name, wanted)
    return { name, title: titleIn(text), language }
  })

/** A page, with the names of its headings in English, by which links find them. */
export function manualPage(name: string, wanted: string) {
  if (!manualNames.includes(name)) return refuse('not_found')
  const { text, ...page } = readPage(name, wanted)
  const body = text
    // The title above is the page's own.
    .replaceAll(/^#(?=#{1,4} )/gm, '')
    // A file is named by its title, and found within the manual.
    .replaceAll(/\[([a-z-]+)\.md\]/g, (whole, page: string) =>
      manualNames.includes(page) ? `[${titleIn(sourceOf(page, wanted).text)}]` : whole,
    )
    .replaceAll(/\]\((?:\.\.\/)?slack-manifest\.json\)/g, `](${setUp})`)
    .replaceAll(
      /\]\((?:\.\.\/)?([a-z-]*)(?:\.md)?(?:#([^()\s]*))?\)/g,
      (whole, page: string, part = '') =>
        manualNames.includes(page || name) ? `](${inside}${page || name}/${part})` : whole,
    )
  const html = renderMarkdown(body, () => true)
  return {
    ...page,
    html: html
      .replaceAll(linksInside, (_, path: string) => `<a href="#/manual/${path}">`)
      .replaceAll(linksToSetUp, '<a href="#/setup">'),
  }
}

/** A page as people read it, in Markdown, with the names of its headings in English. */
export function readPage(name: string, wanted: string) {
  const { text, language } = sourceOf(name, wanted)
  const body = unwrapped(text.slice(text.indexOf('\n')).replaceAll(notRead, ''))
    // Numbers of behaviours are for who works on Clew.
    .replaceAll(/ \((?:[A-Z]\d{1,3}[a-z]?(?:, | to |–)?){1,9}\)/g, '')
    .replaceAll(/\((?:[A-Z]\d{1,3}[a-z]?[,;] )+/g, '(')
  const parts = headingsIn(sourceOf(name, 'en').text)
  return { title: titleIn(text), language, parts, text: body }
}

/** Lines with nothing to read on the page: pictures, and how they and files are made. */
const notRead = /^ *(?:!\[|<!--|The pictures show).*$/gm

/** Address that stands for one within the manual while its text is rendered. */
const inside = 'https://manual.invalid/'
const linksInside = /<a href="https:\/\/manual\.invalid\/([\w/%-]*?)\/?"[^<>]*>/g

/** Stands for Set up, which has a link that carries the manifest. */
const setUp = 'https://setup.invalid/'
const linksToSetUp = /<a href="https:\/\/setup\.invalid\/"[^<>]*>/g

/** Text of a page in the wanted language, else in English. */
function sourceOf(name: string, wanted: string) {
  const files = [
    { language: wanted, file: join('docs', wanted, `${name}.md`) },
    { language: 'en', file: name === 'settings' ? '.env.example' : join('docs', `${name}.md`) },
  ]
  for (const { language, file } of files)
    for (const folder of folders) {
      const path = join(folder, file)
      if (!existsSync(path)) continue
      const text = readFileSync(path, 'utf8')
      return { text: name === 'settings' ? settingsPage(text) : text, language }
    }
  return refuse('not_found')
}

const titleIn = (text: string) => (text.split('\n', 1)[0] ?? '').replace(/^# /, '')

/** Sections of a page's Markdown, each with its heading; the first is what stands before them. */
export function sectionsIn(text: string) {
  const sections = [{ heading: '', lines: [''] }]
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    const [, heading] = (isCode ? null : /^##+ (.*)$/.exec(line)) ?? []
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, lines: [] })
  }
  return sections.map(({ heading, lines }) => ({ heading, body: lines.join('\n') }))
}

/** Headings below the title as links name them, in their order. */
export const headingsIn = (text: string): string[] =>
  [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^##+ (.*)$/gm)].map(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
  )

/** Lines of one paragraph or item as one line: where they end in the file means nothing. */
function unwrapped(text: string): string {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```')
    const last = lines.at(-1) ?? ''
    // Indented code, as the forms of a command are: each line is its own.
    const isIndented = /^ {4}/.test(line) && /^(?: {4}(?!\s*[-*+] )|$)/.test(last)
    const begins = isFence || isIndented || /^ *(?:$|#|[-*+] |\d{1,3}\. |[>|])/.test(line)
    const isOpen = last.trim() !== '' && !/^ *(?:#|\||```)/.test(last) && !last.endsWith('  ')
    if (isCode || begins || !isOpen) lines.push(line)
    else lines[lines.length - 1] = `${last} ${line.trimStart()}`
    if (isFence) isCode = !isCode
  }
  return lines.join('\n')
}
