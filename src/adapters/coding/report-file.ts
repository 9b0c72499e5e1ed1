import { present } from '../../agent/domain/present.ts'
import type { AgentEnd } from './agent-process.ts'
import { hasStatus, headMost } from './front-matter.ts'
import { readReport } from './protocol.ts'

/** Evidence about one run of the agent's command, independent of the agent's own report. */
export interface Execution {
  end: AgentEnd
  sessionId: string
  /** Time in ISO 8601. */
  at: string
  argv: readonly string[]
  /** Changes in the working directory, such as git's summary. Empty if there are none to report. */
  changes: string
  /** Report that the agent wrote into its report file, or `null`. */
  written: string | null
}

const outputShown = 12_000

/**
 * R127, F34: writes the report on a task. Uses the agent's own report, but never its success if the
 * command failed. Without one, the output becomes the report and the exit code its status. The
 * evidence of the run is always added.
 */
export function reportFile(execution: Execution): string {
  const { end, sessionId, at } = execution
  const worked = end.why === 'ended' && end.exitCode === 0
  const own = ownReport(execution.written ?? '') ?? ownReport(end.output)
  const read = own === null ? null : readReport(own)
  const said = read?.status ?? (worked ? 'success' : 'failed')
  const status = {
    success: 'SUCCESS',
    failed: 'FAILED',
    partial: 'PARTIAL_SUCCESS',
    waiting_input: 'waiting_input',
  }[said === 'success' && !worked ? 'failed' : said]
  const frontmatter = present([
    `session_id: ${read?.sessionId ?? sessionId}`,
    `report_date: ${at}`,
    `status: ${status}`,
    read?.question != null && `question: ${JSON.stringify(read.question)}`,
  ])
  const body = read?.text ?? `## 核心成果\n\n${tail(end.output)}`
  return [
    `---\n${frontmatter.join('\n')}\n---`,
    body,
    `## 原始执行指纹\n\n${fingerprint(execution)}`,
    '',
  ].join('\n\n')
}

/** Returns the text from the last frontmatter with a status to the end. */
export function ownReport(text: string): string | null {
  const lines = text.split(/\r?\n/)
  const rules = lines.flatMap((line, index) => (line.startsWith('---') ? [index] : []))
  let start: number | null = null
  for (let place = 0; place + 1 < rules.length; place++) {
    const [from = 0, to = 0] = rules.slice(place, place + 2)
    const inside = lines.slice(from + 1, to)
    const areRules = [from, to].every((index) => lines[index]?.trimEnd() === '---')
    if (!areRules || inside.length === 0 || inside.length > headMost) continue
    if (hasStatus(inside)) start = from
    // A line that closes one frontmatter does not open another.
    place += 1
  }
  return start === null ? null : lines.slice(start).join('\n')
}

function tail(output: string): string {
  const text = output.trim()
  return text.length <= outputShown ? text : `…\n${text.slice(-outputShown).toWellFormed()}`
}

const reasons: Readonly<Record<AgentEnd['why'], string>> = {
  ended: 'the command ended by itself',
  time: 'stopped: its time was over',
  output: 'stopped: it wrote more than it may',
  stopped: 'stopped: the mission was ended or the runner was',
  not_started: 'the command could not be started',
}

function fingerprint({ end, argv, changes }: Execution): string {
  return [
    `- program: ${argv[0] ?? ''}`,
    `- exit code: ${end.exitCode ?? 'none'} (${reasons[end.why]})`,
    `- duration: ${(end.ms / 1000).toFixed(1)} s`,
    ...(changes === '' ? [] : ['- working directory:', '', '```', changes, '```']),
  ].join('\n')
}
