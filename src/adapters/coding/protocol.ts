import { cleanText } from '../../agent/domain/clean-text.ts'
import { type Letter, type Report, ReportStatus } from '../../agent/domain/mission.ts'
import { present } from '../../agent/domain/present.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'

/*
 * Files of the protocol between Clew and a coding agent (R126, R127): Markdown with YAML
 * frontmatter. The protocol's headings are Chinese; reports may use English ones.
 */

const headings = { description: '任务描述', constraints: '约束条件', expected: '预期输出' } as const

/** Report format, included in every task so that an agent needs no knowledge of Clew. */
const reportForm = `End with a report in Markdown whose frontmatter (between two lines ---) has "status": SUCCESS, FAILED or \
PARTIAL_SUCCESS, and "session_id" if you have one; then the sections 核心成果 (what was done, with what shows it), 填坑记录 (what went \
wrong), 下一步建议. If only a person can decide something, the status is waiting_input and "question" asks it.`

export const taskFileName = (id: string): string => `task-${id}.md`
/** R127: returns both file names that a report may have. */
export const reportFileNames = (id: string): readonly string[] => [
  `report-task-${id}.md`,
  `report-${id}.md`,
]

/** R126: writes a task file. */
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

/** Parses a task file, for the runner. Returns `null` if it is not one. */
export function readTaskFile(text: string) {
  const parts = readFrontMatter(text)
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
    /** Text below the frontmatter, which is the agent's prompt. */
    text: parts.body,
  }
}

/**
 * C28: words that agents use for each outcome. Any other word counts as a failure, which the
 * evaluation judges by the text.
 */
const statuses: Readonly<Record<ReportStatus, string>> = {
  success: `success succeeded successful completed complete done ok finished passed ✅ ✔ ☑ 🟢
    成功 已成功 执行成功 執行成功 完成 已完成 全部完成 任务完成 任務完成 通过 通過`,
  partial: `partial_success partial partially_completed partially_complete partially_done incomplete ⚠ 🟡
    部分成功 部分完成 部分 未全部完成`,
  waiting_input: `waiting_input needs_input need_input input_required input_needed waiting_for_input awaiting_input
    waiting needs_clarification clarification_needed needs_user_input waiting_for_user question ❓ ❔
    等待输入 等待輸入 需要输入 需要輸入 待输入 等待确认 等待確認 需要确认 需要確認 待确认 等待回复 等待用户输入 需要用户输入 等待用户确认`,
  failed:
    'failed failure fail error errored ❌ ✖ 🔴 失败 失敗 已失败 执行失败 執行失敗 未完成 未成功 错误 錯誤 出错',
}
const known = new Map(
  Object.entries(statuses).flatMap(([status, words]) =>
    words.split(/\s+/).map((word) => [word, status] as const),
  ),
)

/**
 * Parses a status, or returns `null` for an unknown word. Ignores emphasis, marks and additions to
 * the word (C371).
 */
function statusOf(text: string): ReportStatus | null {
  const [said = ''] = text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s#|[(:,;。.!]| [-–—] |[–—]/u)
  const words = said.match(/[\p{L}\p{N}]+/gu)?.join('_')
  // Marks count only if there is no word.
  const marks = said.match(/\p{S}/gu) ?? []
  const status =
    words === undefined ? marks.flatMap((mark) => known.get(mark) ?? [])[0] : known.get(words)
  return ReportStatus.safeParse(status).data ?? null
}

/**
 * Parses a report that an agent wrote (R127, F34). A report with a question in its head waits for
 * an answer unless it succeeded. The question is added to the text for the evaluation (C372).
 *
 * @returns `null` while its frontmatter is not closed, since it may be half written (C29).
 */
export function readReport(text: string): Report | null {
  const parts = readFrontMatter(cleanText(text))
  if (parts === null) return null
  const { fields, body } = parts
  const part = (key: string, ...names: string[]) =>
    blankToNull(fields[key] ?? sectionOf(body, names))
  const asked = blankToNull(fields.question ?? '')
  const said = statusOf(fields.status ?? '')
  const status = asked === null || said === 'success' ? (said ?? 'failed') : 'waiting_input'
  const isMissing = asked !== null && !body.includes(asked)
  return {
    status,
    sessionId: sessionOf(fields),
    text: present([body.trim(), isMissing && `## 问题\n\n${asked}`])
      .join('\n\n')
      .trim(),
    deliverables: part('deliverables', '核心成果', 'deliverables', 'results'),
    pitfalls: part('pitfalls', '填坑记录', 'pitfalls', 'lessons'),
    advice: part('next_steps', '下一步', '建议', 'next step', 'advice'),
    question: asked ?? blankToNull(sectionOf(body, ['问题', '問題', 'question'])),
  }
}

/**
 * Returns a valid session id, or `null`. An id goes into command lines and frontmatter, so it must
 * be a single word; `auto` means none.
 */
function sessionOf(fields: FrontMatter['fields']): string | null {
  const id = fields.session_id?.replace(/\s#.*/, '').trim() ?? ''
  return /^[\w.:-]{1,200}$/.test(id) && !id.startsWith('-') && id !== 'auto' ? id : null
}

/** Returns the text below the first heading that contains one of the names, or an empty text. */
function sectionOf(body: string, names: readonly string[]): string {
  const sections = body.split(/^(?=#{1,4}[ \t])/m)
  const found = sections.find((section) => {
    const heading = section.split('\n', 1)[0]?.toLowerCase() ?? ''
    return heading.startsWith('#') && names.some((name) => heading.includes(name))
  })
  return found === undefined ? '' : found.slice(found.indexOf('\n') + 1 || found.length).trim()
}

const blankToNull = (text: string) => (text.trim() === '' ? null : text.trim())
