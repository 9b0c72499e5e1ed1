import { basename } from 'node:path'
import { cleanText } from '../../../agent/domain/clean-text.ts'
import { type MadeFile, madeFileLimits } from '../../../agent/domain/made-file.ts'
import type { Report, ReportStatus } from '../../../agent/domain/mission.ts'
import { present } from '../../../agent/domain/present.ts'
import type { Clock } from '../../../agent/ports/clock.ts'
import { cut } from '../../../agent/strategies/bookkeeping.ts'
import type { Reaper } from '../../reaper.ts'
import { type AgentEnd, runAgent } from '../agent-process.ts'
import { readReport } from '../protocol.ts'
import {
  type Changes,
  type Checkout,
  changesSince,
  commitAll,
  push,
  withoutSecrets,
} from './checkout.ts'
import type { OrderFile } from './order-file.ts'
import type { Requests } from './requests.ts'

export interface Finishing {
  order: OrderFile
  checkout: Checkout
  repo: string
  /** Command that tests the work; null: none. */
  tests: readonly string[] | null
  push: boolean
  env: Readonly<Record<string, string | undefined>>
  requests: Requests
  groups: Reaper
  clock: Clock
  timeMs: number
}

/** Lengths of the evidence, in characters: with the agent's words it fits what is judged (F33). */
const testsShown = 700
const statShown = 500
/** Output of the tests after which they are stopped, in bytes. */
const testsMost = 10 * 1024 * 1024

/**
 * Ends a turn: commits what is left over, runs the tests, pushes the branch if people approve it,
 * and writes the report with its evidence. May be done again after a crash.
 */
export async function finish(parts: Finishing, signal: AbortSignal): Promise<void> {
  const { order, checkout, env } = parts
  await commitAll(checkout, env, order.title)
  const changes = await changesSince({ ...checkout, head: order.base ?? checkout.head }, env)
  const tests = parts.tests && (await tested(parts, parts.tests, signal))
  if (signal.aborted) return
  const isGood = order.ended?.why === 'end_turn' && (tests === null || hasPassed(tests))
  const pushed =
    parts.push && isGood && changes.log !== '' ? await pushIfApproved(parts, changes, signal) : 'no'
  if (signal.aborted) return
  order.files = fileOf(checkout, changes)
  order.report = reportOf(parts, { changes, tests, pushed })
}

const hasPassed = ({ why, exitCode }: AgentEnd) => why === 'ended' && exitCode === 0

async function tested(
  { checkout, env, groups, clock, timeMs }: Finishing,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<AgentEnd> {
  let group: number | null = null
  const begun = async (pid: number) => {
    group = pid
    groups.watch(pid)
  }
  const command = { argv, cwd: checkout.tree, env, input: null, timeMs, outputBytes: testsMost }
  try {
    return await runAgent(command, { clock, signal, begun })
  } finally {
    if (group !== null) groups.forget(group)
  }
}

type Pushed = 'no' | 'refused' | 'yes' | { failed: string }

/** C875: the branch leaves this machine only when people have approved it. */
async function pushIfApproved(
  { checkout, repo, env, requests }: Finishing,
  { log, stat }: Changes,
  signal: AbortSignal,
): Promise<Pushed> {
  const text = cleanText(`git push ${withoutSecrets(repo)} ${checkout.branch}\n\n${log}\n\n${stat}`)
  const answer = await requests.ask({ kind: 'approval', text, choices: [] }, signal)
  if (answer?.allow !== true) return 'refused'
  try {
    await push(checkout, env, repo)
    return 'yes'
  } catch (error) {
    return { failed: String(error) }
  }
}

function fileOf({ branch }: Checkout, { diff }: Changes): MadeFile[] {
  const bytes = Buffer.from(diff)
  if (bytes.length === 0 || bytes.length > madeFileLimits.bytes) return []
  const name = `${basename(branch)}.diff`
  return [{ name, type: 'text/x-diff', base64: bytes.toString('base64') }]
}

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'ended its turn',
  max_tokens: 'stopped: its model ran out of tokens',
  max_turn_requests: 'stopped: it made too many requests in one turn',
  refusal: 'refused to go on',
  cancelled: 'was canceled',
  time: 'stopped: its time was over',
  died: 'ended by itself before its turn was over',
  interrupted: 'was interrupted three times by restarts of Clew',
}
const partly = ['max_tokens', 'max_turn_requests']

interface Results {
  changes: Changes
  tests: AgentEnd | null
  pushed: Pushed
}

function reportOf({ order, ...parts }: Finishing, results: Results): Report {
  const { why, text } = order.ended ?? { why: 'died', text: '' }
  const own = readReport(text)
  const evidence = evidenceOf({ order, ...parts }, why, results)
  const words = own?.text ?? text
  return {
    deliverables: null,
    pitfalls: null,
    advice: null,
    question: null,
    ...own,
    status: statusOf(why, own, results.tests),
    // The mission's session is the agent's own; its name never leaves this machine.
    sessionId: order.missionId,
    text: `${evidence}\n\n${words}`.trim(),
  }
}

function statusOf(why: string, own: Report | null, tests: AgentEnd | null): ReportStatus {
  if (partly.includes(why)) return 'partial'
  if (why !== 'end_turn') return 'failed'
  const said = own?.status ?? 'success'
  return said === 'success' && tests !== null && !hasPassed(tests) ? 'failed' : said
}

function evidenceOf(parts: Finishing, why: string, { changes, tests, pushed }: Results): string {
  const { checkout, order } = parts
  const { log, stat, diff } = changes
  const isTooLarge = diff !== '' && order.files.length === 0
  const lines = present([
    `- agent: ${reasons[why] ?? why}`,
    tests !== null && testsInWords(parts.tests ?? [], tests),
    `- branch: ${checkout.branch} ${pushedInWords(pushed)}`,
    isTooLarge && '- the changes are too large to attach',
    log === '' ? '- no changes' : `- changes:\n\n\`\`\`\n${log}\n${cut(stat, statShown)}\n\`\`\``,
  ])
  return `## Evidence\n\n${lines.join('\n')}`
}

function testsInWords(argv: readonly string[], end: AgentEnd): string {
  const how = end.why === 'ended' ? `exit code ${end.exitCode ?? 'none'}` : end.why
  const seconds = (end.ms / 1000).toFixed(1)
  const output = cleanText(end.output).trim().slice(-testsShown).toWellFormed()
  return `- tests: ${argv.join(' ')}: ${how}, ${seconds} s\n\n\`\`\`\n${output}\n\`\`\`\n`
}

function pushedInWords(pushed: Pushed): string {
  if (typeof pushed === 'object') return `(not pushed: ${pushed.failed})`
  return { no: '(not pushed)', refused: '(not pushed: nobody approved it)', yes: '(pushed)' }[
    pushed
  ]
}
