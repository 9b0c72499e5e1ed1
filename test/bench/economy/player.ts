import type { Request } from './meter.ts'
import { type Call, type Item, read, type Seen } from './seen.ts'

/** A model that is played by rules: what it answers follows from the request alone. */
export function play(contract: string, request: Request): unknown {
  const seen = read(request)
  const rules = players[contract]
  if (rules === undefined) throw new Error(`nobody plays ${contract}`)
  return rules(seen)
}

const question = 'Which day shall the offsite be?'

const players: Record<string, (seen: Seen) => unknown> = {
  plan: ({ items }) => ({ status: 'planned', plan: items.map(({ text }) => text) }),
  thought: think,
  replan(seen) {
    const rest = seen.text.slice(seen.text.lastIndexOf('What remains of the plan:'))
    const left = Array.from(rest.matchAll(/^\s*- (.+)$/gm), ([, one = '']) => one)
    return left.length > 0
      ? { status: 'replanned', plan: left, response: null }
      : { status: 'done', plan: [], response: report(seen) }
  },
  plan_tool_call: (seen) => round(seen),
  think(seen) {
    const left = seen.items.filter((item) => !item.isDone(seen))
    if (left.length === 0)
      return {
        ...{
          internal_analysis: 'Everything that was asked for is done.',
          user_summary: report(seen),
        },
        ...{ task_completed: true, next_steps_preview: null, next_round: null },
      }
    return {
      internal_analysis: seen.made.some(({ ok }) => !ok)
        ? 'What failed is done in another way next.'
        : null,
      user_summary: progress(seen),
      task_completed: false,
      ...(seen.text.includes('Plan no round now')
        ? { next_steps_preview: left.map(({ text }) => text).join('\n'), next_round: null }
        : { next_steps_preview: null, next_round: round(seen).steps }),
    }
  },
  summary: (seen) => ({ content: report(seen) }),
  act: acting,
  plain(seen) {
    const { calls, item } = nextOf(seen)
    return item === undefined
      ? { text: report(seen), calls: [] }
      : { text: null, calls: calls.slice(0, 1) }
  },
}

function think(seen: Seen): unknown {
  const current =
    /^item: (.+)$/m.exec(seen.text.slice(seen.text.lastIndexOf('The current item')))?.[1] ?? ''
  const item = seen.items.find(({ text }) => text === current)
  const nothing = {
    current_step: current,
    next_action: null,
    question: null,
    choices: null,
    response: null,
    leads_to: null,
  }
  if (item === undefined)
    return { ...nothing, status: 'done', response: 'There is nothing to do here.' }
  if (item.isDone(seen)) return { ...nothing, status: 'done', response: item.found(seen) }
  if (item.needsDay && seen.day === null) return { ...nothing, status: 'ask_user', question }
  const [call, ...more] = item.open(seen)
  if (call === undefined)
    return { ...nothing, status: 'done', response: `${item.found(seen)} Nothing more can be done.` }
  // What is put somewhere need not be read to be done; what is looked up is.
  const ends = more.length === 0 && call.input.startsWith('add ')
  return { ...nothing, status: 'continue', next_action: call, leads_to: ends ? 'item_done' : null }
}

/** The item that is next and its calls; the question is a call like others. */
function nextOf(seen: Seen): { item: Item | undefined; calls: Call[] } {
  const item = seen.items.find((one) => !one.isDone(seen))
  if (item === undefined) return { item, calls: [] }
  if (item.needsDay && seen.day === null)
    return { item, calls: [{ tool: 'ask_user', input: question }] }
  return { item, calls: item.open(seen) }
}

const perRound = 8

/** All that can be known now, and the question as soon as possible. */
function round(seen: Seen) {
  const isAsked = seen.day !== null
  const open = seen.items
    .filter(({ needsDay }) => isAsked || !needsDay)
    .flatMap((item) => item.open(seen))
  const calls = isAsked
    ? open.slice(0, perRound)
    : [...open.slice(0, perRound - 1), { tool: 'ask_user', input: question }]
  const steps = (calls.length === 0 ? [{ tool: 'todo', input: 'list' }] : calls).map(
    ({ tool, input }, at) => ({
      ...{ tool, arguments: input, purpose: tool === calls[at - 1]?.tool ? null : purposeOf(tool) },
    }),
  )
  return {
    steps,
    reasoning: 'These depend on nothing that is not known yet.',
    estimated_steps: steps.length + 4,
  }
}

const purposeOf = (tool: string): string =>
  tool === 'todo'
    ? 'Put it on the list'
    : tool === 'ask_user'
      ? 'Ask for the day'
      : 'Find out the price'

/** One call a turn; steps are declared at once and closed with the call after them. */
function acting(seen: Seen): unknown {
  const { item, calls } = nextOf(seen)
  if (item === undefined) return { text: report(seen), calls: [] }
  const current = /^\s*(?:current: |\d+\. \[running\] )(.+)$/m.exec(seen.text)?.[1]
  const declared = current !== undefined || seen.text.includes('All declared steps')
  const steps = declared ? [] : seen.items.map(({ text }) => `[Step] ${text}`)
  const closes = current !== undefined && current !== item.text ? ['[Done]'] : []
  const [call] = calls
  const says = [...steps, ...closes].join('\n')
  return { text: says === '' ? null : says, calls: call === undefined ? [] : [call] }
}

/** What is new; what people were told before stands in the request already. */
function progress({ text, ...seen }: Seen): string {
  const told = text.split('People were told:').slice(1).join('\n')
  const facts = seen.items.flatMap((item) => item.found({ text, ...seen }).split('\n'))
  // What the next round sees by itself need not be told.
  const unknown = text.includes('stay here for the next one')
    ? /no price yet|list yet: |no entry yet|to be looked at/
    : /no price yet, pages $|list yet: [^;]*$|no entry yet|to be looked at/
  const fresh = facts.filter((fact) => !told.includes(fact) && !unknown.test(fact))
  return fresh.length === 0 ? 'I have begun.' : fresh.join('\n')
}

function report(seen: Seen): string {
  const words = seen.items.map((item) => `**${item.text}**\n${item.found(seen)}`)
  return [`Everything is done for ${seen.day}.`, ...words, 'Nothing is open.'].join('\n\n')
}
