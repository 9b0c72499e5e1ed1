import type { SummaryInput } from '../../contracts/conversation-summary.ts'
import type { DecisionInput } from '../../contracts/decision.ts'
import type { ContractReplies } from '../../contracts.ts'
import type { RunStatus } from '../../domain/run.ts'
import { normalised, sameItem } from '../../domain/same-item.ts'
import { grammars, wordsOf } from './task.ts'
import { languageIn, readable } from './text.ts'
import type { Words } from './words.en.ts'

type Decision = ContractReplies['decision']

/** Small talk and questions about Clew get a reply; what asks for work becomes a run (R91). */
export function decide(input: DecisionInput): Decision {
  const { words, grammar, text } = read(input)
  const talk = grammar.smallTalk(text)
  if (talk !== null) return reply(words.withRehearsal(words.reply[talk]), words.reason.smallTalk)
  const wait = grammar.wait(text)
  if (wait !== null && offers(input, 'sleep')) {
    const title = wait.what === null ? words.wait(wait.seconds) : words.reminder(wait.what)
    return run(input, words, { type: 'sleep', title, input: { seconds: wait.seconds } }, words.reason.wait)
  }
  if (sumsUp.test(text) && offers(input, 'summarize_conversation'))
    return run(
      input,
      words,
      { type: 'summarize_conversation', title: words.summaryTitle, input: { max_messages: 50 } },
      words.reason.work,
    )
  if (changesCode.test(text) && offers(input, 'coding'))
    return run(
      input,
      words,
      { type: 'coding', title: words.title(text), input: { goal: input.message.trim() } },
      words.reason.work,
    )
  if (wait !== null && wait.what === null) return reply(words.reply.cannot, words.reason.notOffered)
  if (grammar.read(text).length === 0) return reply(words.withRehearsal(words.reply.statement), words.reason.statement)
  if (!offers(input, 'agent_task')) return reply(words.reply.cannot, words.reason.notOffered)
  const title = words.title(grammar.condition(text))
  return run(input, words, { type: 'agent_task', title, input: { goal: input.message.trim() } }, words.reason.work)
}

/** “Summarise this thread”, and nothing else. */
const sumsUp =
  /^(?:(?:please|can you|could you)\s+)*(?:summari[sz]e|sum up|recap)\s+(?:(?:this|the|our)\s+)?(?:thread|conversation|chat|discussion|talk)(?:\s+(?:so far|for me|for us|please))*[.!?]*$|^(?:请|帮我)*(?:总结|概括|归纳)(?:一下)?(?:这个|本|我们的)?(?:会话|对话|讨论|聊天|聊天记录)[。！？]*$/iu

/** Work on code, where a coding agent is there to do it. */
const changesCode =
  /^(?:(?:please|can you|could you)\s+)*(?:code|implement|refactor|debug|fix)\b|^(?:请|帮我)*(?:实现|重构|修复|编写代码)/iu

/** Without Decisions there is no work to start, only talk (R118). */
export function chat(input: DecisionInput): ContractReplies['chat'] {
  const { words, grammar, text } = read(input)
  const talk = grammar.smallTalk(text)
  const content =
    talk === null ? (grammar.read(text).length === 0 ? words.reply.statement : words.reply.onlyTalk) : words.reply[talk]
  return { content: words.withRehearsal(content) }
}

/** Who took part and how much; what it came to needs a model (F31). */
export function summarize({ messages, locale }: SummaryInput): ContractReplies['conversation_summary'] {
  const words = wordsOf[languageIn(messages.map(({ text }) => text).join('\n'), locale)]
  const people = [...new Set(messages.flatMap(({ author }) => author ?? []))]
  return { summary: words.withRehearsal(words.summary(messages.length, people)), open_points: [] }
}

function read(input: DecisionInput) {
  const text = readable(input.message)
  const language = languageIn(text, input.locale)
  return { words: wordsOf[language], grammar: grammars[language], text }
}

const offers = (input: DecisionInput, type: string): boolean => input.runTypes.some((one) => one.type === type)

const reply = (content: string, reason: string): Decision => ({
  decision: 'reply',
  reply: { content },
  run: null,
  runs: null,
  confidence: 0.9,
  reason,
})

const live: readonly RunStatus[] = ['queued', 'running', 'awaiting_clarification', 'paused']

interface Wanted {
  type: string
  title: string
  input: { goal: string } | { seconds: number } | { max_messages: number }
}

/** The same work is not started twice while it is going on (R92). */
function run(input: DecisionInput, words: Words, wanted: Wanted, reason: string): Decision {
  const title = normalised(wanted.title) === '' ? wanted.type : wanted.title
  const going = input.recentRuns.some(
    (one) => live.includes(one.status) && one.type === wanted.type && sameItem(one.title, title),
  )
  if (going) return reply(words.reply.going(title), words.reason.going)
  const request = { type: wanted.type, title, conversation_id: null, input: JSON.stringify(wanted.input) }
  return { decision: 'run', reply: null, run: request, runs: null, confidence: 0.9, reason }
}
