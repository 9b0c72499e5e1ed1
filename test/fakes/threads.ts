import { exchangeText } from '../../src/agent/model/exchanges.ts'
import { promptFor } from '../../src/agent/model/prompts.ts'
import type { Model } from '../../src/agent/ports/model.ts'
import { acts, closes, createFakeModel, decides, ends, plans } from './model.ts'

const summarise = 'can you summarise this thread and make to-dos from it?'

/** What is answered by a run that only sums up. */
export const sumUp = 'nothing but a summary, please'

/** Threads into which Clew is called, on every platform alike: how long, in which words, and what is asked below. */
export const threads = [
  { count: 3, line: (n: number) => `Point ${n}: buy cake no. ${n}`, ask: summarise },
  {
    count: 30,
    line: (n: number) => `第${n}点：订${n}号会议室`,
    ask: '请总结这个讨论并列出待办事项',
  },
  { count: 300, line: (n: number) => `Point ${n}: buy cake no. ${n}`, ask: summarise },
] as const

/** Lines of those threads in a request, in its order. */
export const linesIn = (request: string): string[] =>
  request.match(/(?:Point \d+: buy cake no\. \d+|第\d+点：订\d+号会议室)(?=\n)/g) ?? []

/**
 * A model whose requests are kept in the words in which they are made. Its task makes a to-do of the newest line that it was shown of
 * the thread, and its report is about the first one, the newest one and how many there were.
 */
export function createReader() {
  const requests: string[] = []
  const model = createFakeModel()

  model.answer(({ contract, input }) => {
    if (contract === 'decision' && JSON.stringify(input).includes(sumUp))
      return decides.runs({ type: 'summarize_conversation', title: 'Summary', input: '{}' })
    if (contract === 'conversation_summary')
      return { summary: 'Here is what was said', open_points: [] }
    if (contract === 'decision') return decides.run('Sum up the thread and make to-dos')
    if (contract === 'plan') return plans('Sum up')
    const said = linesIn(requests.findLast((one) => one.startsWith('plan')) ?? '')
    const points = `: ${said.length} points, from “${said[0]}” to “${said.at(-1)}”`
    if (contract !== 'thought')
      return ends(`Here is what was said${said.length === 0 ? '' : points}`)
    const isNoted = 'observations' in input && input.observations.length > 0
    if (said.length > 0 && !isNoted) return acts(`add ${said.at(-1)}`)
    return closes('Summed up')
  })
  const recording: Model = {
    ...model,
    async call(contract, input, signal) {
      const { context, transcript, tail } = promptFor(contract, input)
      requests.push([contract, context, ...transcript.map(exchangeText), tail].join('\n'))
      if (contract === 'plan') await reader.hold
      return await model.call(contract, input, signal)
    },
  }
  const reader = {
    requests,
    recording,
    /** The plan is made when this is over. */
    hold: Promise.resolve(),
    requestOf: (contract: string): string =>
      requests.findLast((one) => one.startsWith(contract)) ?? '',
  }
  return reader
}

/** What the report says that is about everything that was read of a thread, from its first line to this one. */
export const aboutAll = (line: (n: number) => string, count: number, last: number): string =>
  `${count} points, from “${line(0)}” to “${line(last)}”`
