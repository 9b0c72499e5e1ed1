import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { cleanText } from '../../agent/domain/clean-text.ts'
import type { PlanTemplate } from '../../agent/domain/plan-template.ts'
import { readHead } from './skills.ts'

/** Most templates, so that the prompt keeps room for the task, and most steps in a plan. */
const templatesMost = 50
const stepsMost = 20
const stepMost = 300
const aboutMost = 200

/** Returns the paths of the files in the folder `plans`. */
export const templatesIn = async (home: string): Promise<string[]> =>
  (await readdir(join(home, 'plans')).catch(() => []))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(home, 'plans', name))

/** Returns the usable templates, and one sentence for each file that is not usable (C125). */
export async function readTemplates(
  paths: readonly string[],
): Promise<{ templates: PlanTemplate[]; problems: string[] }> {
  const templates: PlanTemplate[] = []
  const problems: string[] = []
  for (const path of paths.slice(0, templatesMost)) {
    const read = readTemplate(await readFile(path, 'utf8').catch(() => ''), basename(path, '.md'))
    if (typeof read === 'string') problems.push(`${path} ${read}`)
    else if (templates.some(({ name }) => name === read.name))
      problems.push(`${path}: another plan is called ${read.name}`)
    else templates.push(read)
  }
  if (paths.length > templatesMost)
    problems.push(`there are more than ${templatesMost} plans; the rest is not used`)
  return { templates, problems }
}

const front = /^---\r?\n[\s\S]*?\r?\n---(?:\r?\n|$)/
const item = /^(?:[-*+]|\d{1,3}[.)])[ \t](.*)$/

/**
 * Parses a plan: frontmatter like a skill's, or a heading that gives its purpose while the file
 * gives its name; then a list of steps.
 *
 * @returns the plan, or a sentence about what is wrong.
 */
export function readTemplate(given: string, fileName: string): PlanTemplate | string {
  const text = cleanText(given)
  const head = front.test(text) ? readHead(text) : headOf(text, fileName)
  if (typeof head === 'string') return head
  const { name, description } = head
  const steps = stepsIn(text.replace(front, ''))
  if (steps.length === 0) return 'has no list of steps'
  if (steps.length > stepsMost) return `has more than ${stepsMost} steps`
  if (steps.some((step) => step.length > stepMost))
    return `has a step that is longer than ${stepMost} characters`
  return { name, about: description.replace(/\s+/g, ' ').slice(0, aboutMost), steps }
}

/**
 * Derives name and description of a file without frontmatter: from its file name, its heading, and
 * the line below, if any.
 */
function headOf(text: string, name: string): { name: string; description: string } | string {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    return 'has a name that is not lower-case letters, digits and -, at most 64'
  const lines = text.split('\n').map((line) => line.trim())
  const heading = lines.find((line) => /^#+ /.test(line))?.replace(/^#+ /, '')
  if (heading === undefined)
    return 'begins with neither a heading nor the lines name and description between ---'
  const first = lines.find((line) => line !== '' && !line.startsWith('#'))
  return { name, description: first === undefined || item.test(first) ? heading : first }
}

/** Returns the items of the lists. An indented line continues the item above. */
function stepsIn(text: string): string[] {
  const steps: string[] = []
  for (const line of text.split('\n')) {
    const step = item.exec(line)?.[1]?.trim()
    if (step !== undefined && step !== '') steps.push(step)
    else if (/^\s+\S/.test(line) && steps.length > 0) steps.push(`${steps.pop()} ${line.trim()}`)
  }
  return steps
}
