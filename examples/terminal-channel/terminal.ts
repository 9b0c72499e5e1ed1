import {
  type ChannelDefinition,
  type DeliveryBody,
  defineChannel,
  type Intake,
  type ProgressView,
} from 'clew/channel'

/** What the terminal is to the channel: lines that are typed and lines that are printed. */
export interface Terminal {
  /** Throws when nothing can be printed. */
  print(line: string): void
  /** Calls back with every line that is typed; answers how to stop listening. */
  onLine(typed: (line: string) => void): () => void
}

const platform = 'terminal'
const workspace = `${platform}:local`

/** What a line that was typed is. `key` names it: the same line that comes in twice is one message. */
type Typed = (text: string, key: string) => Promise<void>

/**
 * A chat with one person in a terminal. All of it is one thread; a number answers the question that is open.
 *
 * @param now the time, in milliseconds since the epoch.
 */
export function createTerminalChannel(
  terminal: Terminal,
  { person, now }: { person: string; now: () => number },
) {
  /** What was printed, by the delivery's id: the terminal shows nothing twice. */
  const printed = new Map<string, string | undefined>()
  /** The last progress of each run. */
  const plans = new Map<string, string>()
  let question: { id: string; choices: readonly string[] } | null = null
  let intake: Intake | null = null
  let stopListening = () => {}
  let lines = 0

  /** Hands on what a person typed. Rejects when Clew could not keep it. */
  const type: Typed = async (text, key) => {
    const asked = question
    const choice = asked?.choices[Number(text.trim()) - 1]
    await intake?.({
      workspace,
      channel: 'chat',
      thread: 'chat',
      keys: [key],
      author: { id: person, name: person, bot: false },
      whose: { way: 'typed' as const, by: 'member' as const },
      at: now(),
      content:
        asked !== null && choice !== undefined
          ? { kind: 'answer', questionId: asked.id, text: choice }
          : { kind: 'message', text, addressed: true, forSomeoneElse: false },
    })
  }

  /** Once a delivery is printed it is not printed again, however often it is sent. */
  const print = (id: string, line: string | null) => {
    if (line !== null) terminal.print(line)
    printed.set(id, line ?? undefined)
  }

  const channel: ChannelDefinition = {
    platform,
    async start(given) {
      intake = given
      // One name for each line: the time keeps those of two starts apart.
      stopListening = terminal.onLine((line) => {
        if (line.trim() === '') return
        lines += 1
        type(line, `line:${now()}:${lines}`).catch(() =>
          terminal.print('That was not kept; type it once more.'),
        )
      })
    },
    async send({ id, body }, { id: conversationId, address }) {
      if (!printed.has(id)) print(id, lineOf(body))
      if (body.kind === 'question') question = body.question
      if (body.kind === 'answered') question = null
      return { kind: 'sent', ref: id, ...threadOf(conversationId, address.thread) }
    },
    async show(progress) {
      const line = planOf(progress)
      if (plans.get(progress.runId) !== line) terminal.print(line)
      plans.set(progress.runId, line)
      return { kind: 'sent', ref: progress.runId }
    },
    async find({ id }, { id: conversationId, address }) {
      return printed.has(id) ? { ref: id, ...threadOf(conversationId, address.thread) } : null
    },
    health: () => ({ ok: intake !== null, detail: intake === null ? 'stopped' : 'listening' }),
    async stop() {
      stopListening()
      intake = null
    },
  }
  return {
    channel: defineChannel(channel),
    type,
    printed: printed as ReadonlyMap<string, string | undefined>,
    plans,
  }
}

/** A conversation without a thread gets one of its own, the same one every time. */
const threadOf = (conversationId: string, thread: string | null) =>
  thread === null ? { thread: `opened:${conversationId}` } : {}

/** What a delivery says; null where a terminal has nothing to show. */
function lineOf(body: DeliveryBody): string | null {
  switch (body.kind) {
    case 'message':
    case 'final':
    case 'private':
      return body.text
    case 'question':
      return [
        body.question.text,
        ...body.question.choices.map((choice, index) => `  ${index + 1}. ${choice}`),
      ].join('\n')
    case 'answered':
      return `${body.answered.author.name}: ${body.answered.answer}`
    case 'closed':
    case 'receipt':
    // What a terminal has printed stays.
    case 'withdrawn':
      return null
    // What is said nowhere else is printed; what was offered before stands there for good.
    case 'decided':
      return body.instead === undefined ? null : body.text
    default:
      return assertNever(body)
  }
}

/** Another kind of delivery would be a compile error in `lineOf`. */
function assertNever(value: never): never {
  throw new Error(`a terminal cannot show ${JSON.stringify(value)}`)
}

const planOf = ({ title, items, done }: ProgressView): string =>
  [
    `${title} (${done}/${items.length})`,
    ...items.map((item) => `  ${item.done ? '[x]' : '[ ]'} ${item.text}`),
  ].join('\n')
