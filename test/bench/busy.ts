import { setTimeout as wait } from 'node:timers/promises'
import type { Model } from '../../src/agent/ports/model.ts'

/** Begins a request whose task ends after its first step; every other one goes on for ever. */
export const quick = 'A small thing'

/** Plans five items and uses a tool for ever; each call takes its time. */
export function busyModel(ms: number): Model {
  const usage = { promptTokens: 0, completionTokens: 0 }
  return {
    name: 'bench',
    async call(contract, input, signal) {
      const isQuick = 'goal' in input && String(input.goal).startsWith(quick)
      if (contract !== 'decision' && !isQuick) await wait(ms, undefined, { signal }).catch(() => {})
      if (signal.aborted) return { ok: false, code: 'aborted', usage }
      return { ok: true, value: isQuick ? quickAnswer(contract) : answerOf(contract, input), usage }
    },
  }
}

const nothing = { question: null, choices: null, response: null }

function answerOf(contract: string, input: object): unknown {
  switch (contract) {
    case 'decision': {
      const goal = 'message' in input ? String(input.message) : ''
      const run = {
        type: 'agent_task',
        title: goal,
        conversation_id: null,
        input: JSON.stringify({ goal }),
      }
      return { decision: 'run', reply: null, run, runs: null, confidence: 1, reason: 'asked for' }
    }
    case 'plan':
      return { status: 'planned', plan: ['one', 'two', 'three', 'four', 'five'] }
    case 'thought': {
      const action = { tool: 'todo', input: 'list' }
      return { ...nothing, status: 'continue', current_step: 'one', next_action: action }
    }
    default:
      return { status: 'replanned', plan: ['one', 'two', 'three', 'four', 'five'], response: '' }
  }
}

/** One question, then the end. */
function quickAnswer(contract: string): unknown {
  switch (contract) {
    case 'plan':
      return { status: 'planned', plan: ['one'] }
    case 'thought':
      return {
        ...nothing,
        status: 'ask_user',
        current_step: 'one',
        next_action: null,
        question: 'Which one?',
      }
    default:
      return { status: 'done', plan: [], response: 'All done.' }
  }
}
