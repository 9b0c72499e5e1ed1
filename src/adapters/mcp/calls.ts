import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/client'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Effect, ToolContext, ToolResult } from '../../agent/ports/tool.ts'
import { texts } from '../../locales/texts.ts'
import { type Elicitation, keyOf, nextStep } from './elicitation.ts'

/** Longest wait for a person's answer while the server's call stays open, in milliseconds. */
const openMs = 60 * 60 * 1_000

/** Result of a call, or the page that the server wants to be opened before it does anything. */
export type Outcome = { result: ToolResult } | { pages: readonly ElicitRequestURLParams[] }

/** Call as a task makes it. */
export interface Request {
  tool: string
  effect: Effect
  context: ToolContext
  /** Sends it; settles when the server answers. `progress` is called when it says how far it is. */
  send(signal: AbortSignal, progress: (line: string) => void): Promise<Outcome>
}

interface Question {
  asked: Elicitation
  key: string
  /** True once the server takes no answer any more. */
  isGone(): boolean
  reply(result: ElicitResult): void
}

/** Call that its server has not answered. It outlives the step of the task that made it. */
interface OpenCall {
  readonly outcome: Promise<Outcome>
  /** Set once it is over. */
  settled: Outcome | null
  question: Question | null
  /** Number of times that the same question came. */
  readonly times: Map<string, number>
  news: PromiseWithResolvers<null>
  readonly stop: AbortController
  /** Aborts when the call is over. */
  readonly over: AbortController
  /** True if the server asked something that could not be told to be of this call. */
  crossed: boolean
  /** Set while a step of the task attends to it. */
  progress: ToolContext['progress']
}

/** Prefix of the keys of pages that are opened before a call has begun. */
const before = 'before:'

export type Calls = ReturnType<typeof createCalls>

/**
 * Calls of one connection, and what their server asks meanwhile.
 *
 * Contract: a question of the server becomes `asks` of the result of the call that met it. The call
 * stays open; made again with the answer it goes on. Where the process ended meanwhile, it is sent
 * again only if its effect allows it (C852).
 */
export function createCalls({ server, clock }: { server: string; clock: Pick<Clock, 'sleep'> }) {
  const open = new Map<string, OpenCall>()

  function begin({ context, send }: Request) {
    const [stop, over] = [new AbortController(), new AbortController()]
    const call: OpenCall = {
      outcome: send(stop.signal, (line) => call.progress?.(line)),
      settled: null,
      question: null,
      times: new Map(),
      news: Promise.withResolvers(),
      stop,
      over,
      crossed: false,
      progress: context.progress,
    }
    void call.outcome.then((outcome) => {
      call.settled = outcome
      over.abort()
    })
    open.set(context.effectId, call)
    return call
  }

  const end = (id: string, call: OpenCall) => {
    if (open.get(id) === call) open.delete(id)
  }

  /** Waits until the server answers or asks. */
  async function attend(call: OpenCall, request: Request) {
    const { context } = request
    const abort = () => call.stop.abort(context.signal.reason)
    context.signal.addEventListener('abort', abort, { once: true })
    call.progress = context.progress
    if (context.signal.aborted) abort()
    try {
      for (;;) {
        const asks = answerQuestion(call, request)
        if (asks !== null) return keptOpen(asks, call, context.effectId)
        const outcome = await Promise.race([call.outcome, call.news.promise])
        if (outcome !== null) return concluded(outcome, call, request)
        call.news = Promise.withResolvers()
      }
    } finally {
      call.progress = undefined
      context.signal.removeEventListener('abort', abort)
    }
  }

  /**
   * Answers the open question of a call as far as its answers go; else returns what is to be asked.
   */
  function answerQuestion(call: OpenCall, { context }: Request): ToolResult | null {
    const { question } = call
    if (question === null) return null
    const { key } = question
    const { answers = [], locale, mayAsk = false } = context
    const words = texts(locale).core.service
    const next = nextStep(question.asked, { server, key, answers, words })
    if ('asks' in next && mayAsk) return { ok: false, text: '', asks: next.asks }
    call.question = null
    call.crossed ||= 'asks' in next
    question.reply('reply' in next ? next.reply : { action: 'cancel' })
    return null
  }

  /** Tells the server that its question is not answered, and the call not waited for. */
  function drop(id: string, call: OpenCall) {
    call.question?.reply({ action: 'cancel' })
    call.stop.abort()
    end(id, call)
  }

  function keptOpen(result: ToolResult, call: OpenCall, id: string) {
    const { question } = call
    void clock.sleep(openMs, call.over.signal).then(() => {
      if (!call.over.signal.aborted && call.question === question) drop(id, call)
    })
    return result
  }

  function concluded(outcome: Outcome, call: OpenCall, { context }: Request): ToolResult {
    const { answers = [], effectId, mayAsk = false, locale } = context
    end(effectId, call)
    if ('result' in outcome) {
      const { result } = outcome
      return call.crossed ? { ...result, text: `${result.text}\n${unasked}` } : result
    }
    const page = outcome.pages.find(({ elicitationId }) => !isAnswered(answers, elicitationId))
    if (page === undefined) return { ok: false, text: pageOpen(server) }
    if (!mayAsk) return { ok: false, text: unasked }
    const key = `${before}${page.elicitationId}`
    const next = nextStep(page, { server, key, answers, words: texts(locale).core.service })
    if ('asks' in next) return { ok: false, text: '', asks: next.asks }
    return { ok: false, text: declined(server) }
  }

  return {
    /** Number of calls that the server has not answered. */
    count: () => open.size,

    async run(request: Request): Promise<ToolResult> {
      const { context, effect, tool } = request
      const { answers = [], effectId: id, locale } = context
      if (answers.some(({ key, kind }) => key.startsWith(before) && kind !== 'answered'))
        return { ok: false, text: declined(server) }
      const call = open.get(id)
      if (call === undefined) {
        const hasBegun = answers.some((one) => !one.unused && !one.key.startsWith(before))
        if (hasBegun && effect === 'unkeyed') return lost(server, tool, locale)
        return await attend(begin(request), request)
      }
      const isOpen = call.settled === null && call.question?.isGone() !== true
      if (call.question === null || isOpen) return await attend(call, request)
      // The server did not wait for the answer.
      const ended = await call.outcome
      end(id, call)
      if ('pages' in ended || ended.result.ok) return concluded(ended, call, request)
      if (effect !== 'unkeyed') return await attend(begin(request), request)
      const { result } = ended
      return { ...result, text: `${result.text}\n${unwaited(server)}`, unused: true }
    },

    /**
     * Takes a question of the server.
     *
     * @param id effect id of its call, where the connection tells; else it is of the only open one.
     */
    asked(asked: Elicitation, id: string | null, signal: AbortSignal): Promise<ElicitResult> {
      const only = open.size === 1 ? [...open.values()][0] : undefined
      const call = id === null ? only : open.get(id)
      if (call === undefined) {
        // Nobody is asked what may be another person's (S88).
        for (const one of open.values()) one.crossed = true
        return Promise.resolve({ action: 'cancel' })
      }
      const name = keyOf(asked)
      const time = call.times.get(name) ?? 0
      call.times.set(name, time + 1)
      const { promise, resolve } = Promise.withResolvers<ElicitResult>()
      const isGone = () => signal.aborted
      call.question = { asked, key: `${name}.${time}`, isGone, reply: resolve }
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true })
      call.news.resolve(null)
      return promise
    },

    /** Ends a call that waits for an answer (C923). */
    drop(id: string) {
      const call = open.get(id)
      if (call !== undefined) drop(id, call)
    },

    /** Ends all calls. */
    stop() {
      for (const call of open.values()) call.stop.abort()
      open.clear()
    },
  }
}

const isAnswered = (answers: ToolContext['answers'], id: string) =>
  answers?.some(({ key }) => key === `${before}${id}`) ?? false

const unasked =
  '(The server asked something that nobody was asked, since other calls ran beside this one. If it is needed, make this call again, alone.)'

const unwaited = (server: string) =>
  `(The server "${server}" did not wait for the answer to its question. The answer is there now: if it is still wanted, make the same call again, and it is given.)`

const pageOpen = (server: string) =>
  `not done: the server "${server}" says that the page it asked the person to open is not finished there. Say so; the same call works afterwards`

const declined = (server: string) =>
  `not done: the person did not want to open the page of the server "${server}"`

/** C852: an unkeyed call is not sent again; people are told what became of it. */
function lost(server: string, tool: string, locale: string): ToolResult {
  return {
    ok: false,
    unknown: true,
    text: `outcome unknown: Clew was restarted while the server "${server}" waited for an answer. Its question is lost, and the call was not made again. Look before doing it again.`,
    note: { text: texts(locale).core.service.lost(server, tool), offers: [] },
  }
}
