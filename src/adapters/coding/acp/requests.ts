import type { AgentAnswer, AgentRequest } from '../../../agent/domain/mission.ts'
import type { OrderFile } from './order-file.ts'

export type Requests = ReturnType<typeof createRequests>

interface Waiting {
  request: AgentRequest
  resolve(answer: AgentAnswer | null): void
}

/**
 * Requests of an agent that wait for people, one after the other.
 *
 * Contract: an answer is used once, and is stored as used before the agent gets it (S91). An agent
 * that was restarted and repeats a request whose answer it never got goes on with the same request.
 */
export function createRequests(
  order: OrderFile,
  { randomId, save }: { randomId(): string; save(): Promise<void> },
) {
  let waiting: Waiting[] = []
  const show = () => {
    order.asks = waiting[0]?.request ?? null
  }
  const drop = (id: string) => {
    waiting = waiting.filter(({ request }) => request.id !== id)
    show()
  }
  const idFor = (text: string) => {
    const isOpen = (id: string) => waiting.some(({ request }) => request.id === id)
    const known = order.asked.find((one) => !one.spent && one.text === text && !isOpen(one.id))
    if (known !== undefined) return known.id
    const id = randomId()
    order.asked.push({ id, text, spent: false })
    return id
  }
  return {
    /** Null: the request was withdrawn, or the agent is being stopped. */
    async ask(asked: Omit<AgentRequest, 'id'>, signal: AbortSignal) {
      const request = { ...asked, id: idFor(asked.text) }
      const answer = new Promise<AgentAnswer | null>((resolve) => {
        waiting.push({ request, resolve })
        const withdraw = () => {
          drop(request.id)
          resolve(null)
        }
        if (signal.aborted) withdraw()
        else signal.addEventListener('abort', withdraw, { once: true })
      })
      show()
      await save()
      return await answer
    },
    async take(answers: readonly AgentAnswer[]) {
      const first = waiting[0]
      const answer = answers.find(({ id }) => id === first?.request.id)
      if (first === undefined || answer === undefined) return
      for (const one of order.asked) if (one.id === answer.id) one.spent = true
      drop(answer.id)
      await save()
      first.resolve(answer)
    },
    end() {
      const open = waiting
      waiting = []
      show()
      for (const { resolve } of open) resolve(null)
    },
  }
}
