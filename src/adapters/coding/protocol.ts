import { cleanText } from '../../agent/domain/clean-text.ts'
import type { Letter, Report, ReportStatus } from '../../agent/domain/mission.ts'
import { yaml } from '../../agent/on-demand.ts'

/*
 * The files of the protocol between Clew and a coding agent (R126, R127): Markdown with a YAML frontmatter. Their headings are
 * the protocol's own, in Chinese; reports may use English ones.
 */

const headings = { description: '任务描述', constraints: '约束条件', expected: '预期输出' } as const

/** How a report has to look; said to every agent, so that one that knows nothing of Clew can write one. */
const reportForm = `End with a report in Markdown whose frontmatter (between two lines ---) has "status": SUCCESS, FAILED or \
PARTIAL_SUCCESS, and "session_id" if you have one; then the sections 核心成果 (what was done, with what shows it), 填坑记录 (what went \
wrong), 下一步建议. If only a person can decide something, the status is waiting_input and "question" asks it.`

export const taskFileName = (id: string): string => `task-${id}.md`
/** R127: either name is a report on the task. */
export const reportFileNames = (id: string): readonly string[] => [
  `report-task-${id}.md`,
  `report-${id}.md`,
]

/** R126: a task file. */
export function taskFile(letter: Letter): string {
  const { id, createdAt, sessionId, command, missionId, title } = letter
  const frontmatter = [
    `id: task-${id}`,
    `created_at: ${new Date(createdAt).toISOString()}`,
    `session_id: ${sessionId ?? 'auto'}`,
    `command_type: ${command}`,
    `mission_id: ${missionId}`,
  ]
  const sections: [string, string][] = [
    [
      headings.description,
      [title, letter.description].filter((text) => text.trim() !== '').join('\n\n'),
    ],
    [headings.constraints, letter.constraints],
    [
      headings.expected,
      command === 'end'
        ? ''
        : [letter.expected, reportForm].filter((one) => one !== '').join('\n\n'),
    ],
  ]
  const body = sections.map(
    ([heading, text]) => `## ${heading}\n\n${text.trim() === '' ? '-' : text.trim()}\n`,
  )
  return `---\n${frontmatter.join('\n')}\n---\n\n${body.join('\n')}`
}

export type TaskFile = NonNullable<ReturnType<typeof readTaskFile>>

/** What the other side reads of a task file. Null when it is none. */
export function readTaskFile(text: string) {
  const parts = split(text)
  if (parts === null) return null
  const {
    id,
    command_type: command,
    mission_id: missionId,
    created_at: createdAt = '',
  } = parts.fields
  const bare = /^task-([\w-]{1,80})$/.exec(id ?? '')?.[1]
  if (bare === undefined || (command !== 'new' && command !== 'continue' && command !== 'end'))
    return null
  return {
    id: bare,
    sessionId: sessionOf(parts.fields),
    command,
    missionId: missionId ?? null,
    createdAt,
    /** All of it below the frontmatter: what the agent is told. */
    text: parts.body,
  }
}

/** C28: what agents call their outcomes; anything else is a failure that the evaluation reads about. */
const statuses: Readonly<Record<ReportStatus, readonly string[]>> = {
  success: ['success', 'succeeded', 'successful', 'completed', 'complete', 'done', 'ok'],
  partial: ['partial_success', 'partial', 'partially_completed', 'incomplete'],
  waiting_input: [
    'waiting_input',
    'needs_input',
    'input_required',
    'waiting_for_input',
    'question',
  ],
  failed: ['failed', 'failure', 'error'],
}

function statusOf(text: string): ReportStatus {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const known = Object.entries(statuses).find(([, words]) => words.includes(said))
  return (known?.[0] as ReportStatus | undefined) ?? 'failed'
}

/**
 * A report as an agent wrote it (R127, F34).
 *
 * @returns null while its frontmatter is not closed: it may be half written (C29).
 */
export function readReport(text: string): Report | null {
  const parts = split(cleanText(text))
  if (parts === null) return null
  const { fields, body } = parts
  const part = (key: string, ...names: string[]) =>
    blankToNull(fields[key] ?? sectionOf(body, names))
  return {
    status: statusOf(fields.status ?? ''),
    sessionId: sessionOf(fields),
    text: body.trim(),
    deliverables: part('deliverables', '核心成果', 'deliverables', 'results'),
    pitfalls: part('pitfalls', '填坑记录', 'pitfalls', 'lessons'),
    advice: part('next_steps', '下一步', '建议', 'next step', 'advice'),
    question: part('question', '问题', 'question'),
  }
}

/** One word; `auto` is none. It goes into command lines and frontmatters, so nothing else is taken. */
function sessionOf(fields: Record<string, string>): string | null {
  const id = fields.session_id?.trim() ?? ''
  return /^[\w.:-]{1,200}$/.test(id) && !id.startsWith('-') && id !== 'auto' ? id : null
}

function split(text: string): { fields: Record<string, string>; body: string } | null {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text)
  if (found === null) return null
  return { fields: fieldsOf(found[1] ?? ''), body: found[2] ?? '' }
}

/** Every value as text. YAML that does not parse has no fields. */
function fieldsOf(head: string): Record<string, string> {
  try {
    const value: unknown = yaml().parse(head, {
      schema: 'failsafe',
      maxAliasCount: 0,
      logLevel: 'error',
    })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [key.toLowerCase(), cleanText(textOf(held))]),
    )
  } catch {
    return {}
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => `- ${textOf(one)}`).join('\n')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
}

/** What stands under the first heading that holds one of these words. */
function sectionOf(body: string, names: readonly string[]): string {
  const sections = body.split(/^(?=#{1,4}[ \t])/m)
  const found = sections.find((section) => {
    const heading = section.split('\n', 1)[0]?.toLowerCase() ?? ''
    return heading.startsWith('#') && names.some((name) => heading.includes(name))
  })
  return found === undefined ? '' : found.slice(found.indexOf('\n') + 1 || found.length).trim()
}

const blankToNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
