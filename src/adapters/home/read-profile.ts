import type { z } from 'zod'
import { nearest } from '../../agent/commands/nearest.ts'
import { cleanText } from '../../agent/domain/clean-text.ts'
import { fits } from '../../agent/domain/pattern.ts'
import { type Profile, ProfileHead, toolRules } from '../../agent/domain/profile.ts'
import { yaml } from '../../agent/on-demand.ts'

/** Longest instructions of a channel, in characters. */
const bodyMost = 8_000
const rule = /^---[ \t]*$/

/** Names that profiles may use besides those of people: the models and tools that there are. */
export interface Known {
  models: readonly string[]
  /** True if the costs of calls are known. */
  isPriced: boolean
  /** Null: nobody can tell here. */
  tools: readonly string[] | null
  /** Beginnings of the names of tools that may come back. */
  away: readonly string[]
}

const nothingKnown: Known = { models: [], isPriced: false, tools: null, away: [] }

/**
 * Parses a channel's profile; returns what is wrong and in which line, if anything is (C674, C761).
 */
export function readProfile(given: string, known = nothingKnown): Profile | string {
  const lines = cleanText(given.replace(/^\uFEFF/, '')).split(/\r?\n/)
  if (!rule.test(lines[0] ?? '')) return 'line 1: does not begin with ---'
  const end = lines.findIndex((line, index) => index > 0 && rule.test(line))
  if (end === -1) return 'line 1: the head does not end with ---'
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  if (body.length > bodyMost)
    return `line ${end + 2}: the instructions are longer than ${bodyMost} characters`
  const head = readHead(['', ...lines.slice(1, end)].join('\n'), known)
  return typeof head === 'string' ? head : { ...head, instructions: body === '' ? null : body }
}

type Head = z.infer<typeof ProfileHead> & Pick<Profile, 'doubt'>

/** Fault of a head: where it is, and what is wrong there. */
interface Fault {
  path: readonly PropertyKey[]
  what: string
}

/** Reads all scalars as texts, so that no id loses its last digits. */
function readHead(text: string, known: Known): Head | string {
  const { LineCounter, parseDocument, isNode } = yaml()
  const counter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: counter })
  const [error] = document.errors
  if (error !== undefined) {
    const { line } = counter.linePos(error.pos[0])
    return `line ${line}: ${error.message.split(' at line ', 1)[0]}`
  }
  let fields: unknown
  try {
    fields = document.toJS({ maxAliasCount: 0 })
  } catch {
    return 'line 1: uses aliases (* and & outside quotes)'
  }
  const read = ProfileHead.safeParse(fields ?? {}, { reportInput: true })
  const fault = read.success ? unknownIn(read.data, known) : faultOf(read.error.issues[0])
  if (fault === null && read.success) return { ...read.data, ...doubtIn(read.data, known) }
  const { path, what } = fault ?? { path: [], what: 'cannot be read' }
  let line = 1
  for (let depth = 1; depth <= path.length; depth += 1) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) ({ line } = counter.linePos(node.range[0]))
  }
  return `line ${line}: ${path.join('.') || 'the head'} ${what}`
}

function faultOf(issue: z.core.$ZodIssue | undefined): Fault | null {
  if (issue === undefined) return null
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const what = `is no key of a profile${meant(key, Object.keys(ProfileHead.shape))}`
    return { path: [...issue.path, key], what }
  }
  const typed = issue.path[0] === 'tools' && typeof issue.input === 'string' ? issue.input : null
  return {
    path: issue.path,
    what: `${issue.message}${typed === null ? '' : meant(typed, toolRules)}`,
  }
}

/** A suggestion for a name that is none; blank where nothing is near. */
function meant(typed: string, names: readonly string[]): string {
  const name = nearest(typed, names)
  return name === null ? '' : `; did you mean ${name}?`
}

/**
 * C761: a model or cost that the settings know nothing of, or the name of a tool that is misspelt.
 */
function unknownIn(head: z.infer<typeof ProfileHead>, known: Known): Fault | null {
  const { model } = head
  const { models, isPriced } = known
  if (model !== undefined && !models.includes(model)) {
    const all = models.length === 0 ? 'needs AGENT_MODELS' : 'is none of the models in the settings'
    return { path: ['model'], what: `${model} ${all}${meant(model, models)}` }
  }
  const priced = (['cost-per-day', 'cost-per-month'] as const).find(
    (key) => head[key] !== undefined,
  )
  if (priced !== undefined && !isPriced) return { path: [priced], what: 'needs MODEL_PRICES' }
  for (const name of strangers(head, known)) {
    const group = known.tools?.some((tool) => tool.startsWith(`${name}__`))
    const what = group ? `; did you mean ${name}__*?` : meant(name, known.tools ?? [])
    if (what !== '') return { path: ['tools', name], what: `is no tool${what}` }
  }
  return null
}

/** Rules that fit no tool that there is, nor one that may come back. */
function strangers({ tools = {} }: z.infer<typeof ProfileHead>, known: Known): string[] {
  const { tools: all, away } = known
  if (all === null) return []
  return Object.keys(tools).filter(
    (name) =>
      !all.some((tool) => fits(name, tool)) && !away.some((begins) => name.startsWith(begins)),
  )
}

function doubtIn(head: z.infer<typeof ProfileHead>, known: Known): Pick<Profile, 'doubt'> {
  const names = strangers(head, known)
  return names.length === 0 ? {} : { doubt: `fits no tool that there is now: ${names.join(', ')}` }
}
