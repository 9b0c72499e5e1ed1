import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderMarkdown } from './markdown.ts'
import { refuse } from './problems.ts'

/*
 * The manual that comes with the package, for reading on the page (C605).
 */

/** Its pages, in the order in which people need them. */
const names = [
  ...['slack', 'discord', 'models', 'commands', 'schedules', 'memory', 'agent-home', 'extending'],
  ...['coding', 'connectors', 'operations', 'scaling', 'security'],
]

// In the package everything is one folder deeper.
const folders = ['../../..', '../../../..'].map((up) => join(import.meta.dirname, up, 'docs'))

/** Name and title of each page. */
export const manualPages = (): { name: string; title: string }[] =>
  names.map((name) => ({ name, title: titleIn(sourceOf(name)) }))

export function manualPage(name: string): { title: string; html: string } {
  const source = names.includes(name) ? sourceOf(name) : refuse({ code: 'not_found' })
  const body = unwrapped(source.slice(source.indexOf('\n')).replaceAll(/^ *!\[.*$/gm, ''))
    // Numbers of behaviours are for who works on Clew.
    .replaceAll(/ \((?:[A-Z]\d{1,3}[a-z]?(?:, | to |–)?){1,9}\)/g, '')
    .replaceAll(/\]\(([a-z-]*)(?:\.md)?(?:#([\w-]*))?\)/g, (whole, page: string, part = '') =>
      names.includes(page || name) ? `](${inside}${page || name}/${part})` : whole,
    )
  const html = renderMarkdown(body, () => true)
  return {
    title: titleIn(source),
    html: html.replaceAll(linksInside, (_, path: string) => `<a href="#/manual/${path}">`),
  }
}

/** Address that stands for one within the manual while its text is rendered. */
const inside = 'https://manual.invalid/'
const linksInside = /<a href="https:\/\/manual\.invalid\/([\w/-]*?)\/?"[^<>]*>/g

function sourceOf(name: string): string {
  const path = folders.map((folder) => join(folder, `${name}.md`)).find((one) => existsSync(one))
  return path === undefined ? refuse({ code: 'not_found' }) : readFileSync(path, 'utf8')
}

const titleIn = (source: string): string => (source.split('\n', 1)[0] ?? '').replace(/^# /, '')

/** Lines of one paragraph or item as one line: where they end in the file means nothing. */
function unwrapped(text: string): string {
  const lines: string[] = []
  let isCode = false
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```')
    const last = lines.at(-1) ?? ''
    const begins = isFence || /^ *(?:$|#|[-*+] |\d{1,3}\. |[>|])/.test(line)
    const isOpen = last.trim() !== '' && !/^ *(?:#|\||```)/.test(last) && !last.endsWith('  ')
    if (isCode || begins || !isOpen) lines.push(line)
    else lines[lines.length - 1] = `${last} ${line.trimStart()}`
    if (isFence) isCode = !isCode
  }
  return lines.join('\n')
}
