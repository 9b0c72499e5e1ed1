/**
 * The task of the bench: items of ten committed steps each. An item is four times a thought and its tool call, then a thought
 * that closes it and the replan after it. Everything follows from the prompt, so that the server keeps no state.
 */

export const callsPerItem = 4
export const stepsPerItem = 2 * callsPerItem + 2

/** A result as a search gives it: about 600 characters. */
export const toolResult = (input: string) =>
  `1. **Venue guide** <https://example.com/guide> ${input}. ${'Seats forty, has daylight, is near the station. '.repeat(4)}\n` +
  `2. **Prices** <https://example.com/prices> ${'A day costs 900 with lunch and coffee, half a day 500. '.repeat(5)}`

export const goalOf = (items: number, delayMs: number) => `Bench ${items} items, delay ${delayMs}`

export function readGoal(prompt: string): { items: number; delayMs: number } {
  const found = /Bench (\d+) items, delay (\d+)/.exec(prompt)
  return { items: Number(found?.[1] ?? 0), delayMs: Number(found?.[2] ?? 0) }
}

const itemText = (number: number) => `Find out about venue number ${number}`

/** What the model answers to a prompt under a contract. */
export function replyTo(contract: string, prompt: string): object {
  switch (contract) {
    case 'decision':
    case 'overheard':
      return decide(prompt)
    case 'plan':
      return {
        status: 'planned',
        plan: Array.from({ length: readGoal(prompt).items }, (_, index) => itemText(index + 1)),
      }
    case 'thought':
      return think(prompt)
    default: {
      const rest = prompt.slice(prompt.indexOf('What remains of the plan:'))
      const plan = [...rest.matchAll(/^ *- (.+)$/gm)].map((match) => match[1])
      return plan.length === 0
        ? {
            status: 'done',
            plan: [],
            response: 'All venues are looked at; the second one fits best and is free in June.',
          }
        : { status: 'replanned', plan, response: null }
    }
  }
}

function decide(prompt: string): object {
  const last = prompt.slice(prompt.lastIndexOf('The message to answer.'))
  const { items, delayMs } = readGoal(last)
  const common = { runs: null, confidence: 0.9, reason: 'It asks for work in several steps.' }
  if (items === 0)
    return {
      decision: 'reply',
      reply: { content: 'Good, thank you. What can I do?' },
      run: null,
      ...common,
    }
  const run = {
    type: 'agent_task',
    title: 'Look at venues',
    conversation_id: null,
    input: JSON.stringify({ goal: goalOf(items, delayMs) }),
  }
  return { decision: 'run', reply: null, run, ...common }
}

function think(prompt: string): object {
  const item = /item: (.+)$/m.exec(prompt.slice(prompt.lastIndexOf('The current item')))?.[1] ?? ''
  // Items that were closed before may still be there in full.
  const since = prompt.slice(prompt.lastIndexOf('A plan item was closed') + 1)
  const calls = since.split('A tool call succeeded.').length - 1
  const nothing = {
    current_step: item,
    next_action: null,
    question: null,
    choices: null,
    response: null,
  }
  if (calls >= callsPerItem)
    return {
      ...nothing,
      status: 'done',
      response: `${item}: it seats forty and costs 900 a day with lunch.`,
    }
  const aspects = ['seats and rooms', 'prices for a day', 'how to get there', 'free dates in June']
  return {
    ...nothing,
    status: 'continue',
    next_action: { tool: 'lookup', input: `${item}: ${aspects[calls]}` },
  }
}
