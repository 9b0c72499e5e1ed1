import { describe, expect, it } from 'vitest'
import type { StrategyName } from '../../../src/agent/domain/task.ts'
import { createRehearsalModel } from '../../../src/agent/model/rehearsal.ts'
import { useClew } from '../../support/agent.ts'

const start = useClew()
const model = createRehearsalModel({ clock: { sleep: async () => {} }, paceMs: 0 })

const requests = [
  'Compare the three venues and book a date for the offsite',
  'Remind me to call the caterer and to send the invitations',
  'Plan a one-week onboarding for our new designer and list what to prepare',
  'Show me my to-dos',
  '比较三个场地，并为团建订一个日期',
  '把“买牛奶”和“寄信”加入待办',
]

describe('a rehearsal', () => {
  it.each(
    (['batch', 'free'] as const satisfies StrategyName[]).flatMap((strategy) =>
      requests.map((request) => [strategy, request] as const),
    ),
  )('under %s does “%s”, with its questions, and reports that it is one', async (strategy, request) => {
    const clew = await start({ strategy, model })
    await clew.say(request, { locale: /\p{Script=Han}/u.test(request) ? 'zh' : 'en' })
    for (let questions = 0; questions < 6; questions++) {
      await clew.idle()
      const [question] = (await clew.state()).questions
      if (question === undefined) break
      await clew.choose(question.id, question.choices[0] ?? 'Lisbon')
    }
    const run = await clew.run()
    expect(run.status).toBe('succeeded')
    expect(clew.texts().at(-1)).toMatch(/rehearsal|排练|演练|彩排/i)
    const { observations, refusal } = await clew.task()
    expect(refusal).toBeNull()
    const made = observations.map((one) => `${one.tool} ${one.input}`)
    expect(new Set(made).size).toBe(made.length)
  })
})
