import type { ThoughtInput } from '../../../src/agent/contracts/step.ts'
import {
  type ContractInputs,
  type ContractName,
  type ContractReplies,
  readReply,
} from '../../../src/agent/contracts.ts'
import { sameItem } from '../../../src/agent/domain/same-item.ts'
import type { Clarification, Conclusion, Observation, PlanItem } from '../../../src/agent/domain/task.ts'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import type { ToolResult } from '../../../src/agent/ports/tool.ts'

/* A loop small enough to be read at once, so that whole tasks can be driven over the contracts alone. */

export const model = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })

/** One call that has to be accepted (R29 to R34). */
export async function ask<N extends ContractName>(contract: N, input: ContractInputs[N]): Promise<ContractReplies[N]> {
  const reply = await model.call(contract, input, new AbortController().signal)
  if (!reply.ok) throw new Error(`${contract}: ${reply.code}`)
  const reading = readReply(contract, input, reply.value)
  if (!reading.ok) throw new Error(`${contract}: ${reading.problem}\n${JSON.stringify(reply.value)}`)
  return reading.reply
}

export interface Scene {
  /** What Ana answers, in order; the first choice when there is no more. */
  answers?: readonly string[]
  /** What Ben says, by the number of the model call before which it arrives. */
  joins?: Readonly<Record<number, string>>
  unattended?: boolean
  locale?: string
  now?: string
  tools?: readonly string[]
  tool?: (tool: string, input: string, nth: number) => ToolResult
  maxSteps?: number
}

export interface Played {
  plans: string[][]
  questions: { text: string; choices: string[]; item: string }[]
  calls: { tool: string; input: string }[]
  replans: { added: string[]; dropped: string[] }[]
  items: PlanItem[]
  conclusions: Conclusion[]
  /** As the budget counts them (R21 to R24). */
  steps: number
  report: string
}

/** No search is set up and the to-do list works, as in a fresh installation. */
const freshTools = (tool: string, input: string, nth: number): ToolResult => {
  if (tool !== 'todo') return { ok: false, text: 'Web search is not set up here; the work goes on without it.' }
  if (/^add\b/.test(input)) return { ok: true, text: `Added **#${nth}** ${input.slice(4)}` }
  return { ok: true, text: '**To-dos** (1 open)\n\n- **#1** Call Ana' }
}

export async function play(goal: string, scene: Scene = {}): Promise<Played> {
  const tool = scene.tool ?? freshTools
  const played: Played = {
    plans: [],
    questions: [],
    calls: [],
    replans: [],
    items: [],
    conclusions: [],
    steps: 0,
    report: '',
  }
  const observations: Observation[] = []
  const clarifications: Clarification[] = []
  const answers = [...(scene.answers ?? [])]
  let planned = 0
  let needsReplan = false

  const input = (): ThoughtInput => {
    const index = played.items.findIndex((item) => !item.done)
    return {
      goal,
      tools: (scene.tools ?? ['todo', 'internet_search']).map((name) => ({ name, description: '--remind' })),
      locale: scene.locale ?? 'en',
      timeZone: 'Europe/Berlin',
      now: scene.now ?? '2026-03-04T10:00:37+01:00',
      unattended: scene.unattended ?? false,
      refusal: null,
      planItems: played.items,
      currentPlanIndex: index === -1 ? played.items.length : index,
      observations,
      clarifications,
      conclusions: played.conclusions,
      stepCount: played.steps,
      maxSteps: scene.maxSteps ?? 20,
      successfulSteps: observations.filter((one) => one.ok).length,
      failedSteps: observations.filter((one) => !one.ok).length,
      currentItem: played.items[index]?.text ?? goal,
      mustStop: false,
    }
  }
  const say = (name: string, text: string, question: string | null) => {
    clarifications.push({ step: played.steps, question, text, author: { id: name.toLowerCase(), name } })
    needsReplan = true
  }

  const plan = (await ask('plan', input())).plan
  played.plans.push(plan)
  played.items = plan.map((text) => ({ text, done: false }))
  for (let call = 1; call <= 120; call += 1) {
    const joined = scene.joins?.[call]
    if (joined !== undefined) say('Ben', joined, null)
    played.steps += 1
    if (needsReplan) {
      const remainingPlan = played.items.filter((item) => !item.done).map((item) => item.text)
      const reply = await ask('replan', { ...input(), newClarifications: clarifications.slice(planned), remainingPlan })
      planned = clarifications.length
      needsReplan = false
      if (reply.status === 'done') return { ...played, report: reply.response ?? '' }
      const before = played.items
      played.items = reply.plan.map((text) => ({
        text,
        done: before.some((item) => item.done && sameItem(item.text, text)),
      }))
      played.plans.push(reply.plan)
      played.replans.push({
        added: reply.plan.filter((text) => !before.some((item) => sameItem(item.text, text))),
        dropped: remainingPlan.filter((text) => !reply.plan.some((item) => sameItem(item, text))),
      })
      continue
    }
    const now = input()
    const thought = await ask('thought', now)
    if (thought.status === 'continue' && thought.next_action !== null) {
      const { next_action: action } = thought
      played.steps += 1
      played.calls.push(action)
      const nth = played.calls.filter((one) => one.tool === action.tool).length
      const { ok, text } = tool(action.tool, action.input, nth)
      observations.push({ step: played.steps, ...action, ok, result: text })
    } else if (thought.status === 'ask_user') {
      const choices = thought.choices ?? []
      played.questions.push({ text: thought.question ?? '', choices, item: now.currentItem })
      say('Ana', answers.shift() ?? choices[0] ?? 'Acme', `请确认：${thought.question}`)
    } else {
      played.conclusions.push({ step: played.steps, item: now.currentItem, text: thought.response, ok: true })
      played.items = played.items.map((item, index) =>
        index === now.currentPlanIndex ? { ...item, done: true } : item,
      )
      needsReplan = true
    }
  }
  throw new Error(`no end: ${JSON.stringify(played)}`)
}
