import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '../src/adapters/web/views.ts'
import { strategyNames } from '../src/agent/domain/task.ts'
import { type Language, texts } from '../src/locales/texts.ts'
import { type Lab, openLab } from './schedules/support.ts'

/*
 * The rehearsal with the real tools: everything that is offered to somebody without a model comes to an end, and nothing is
 * ticked in which nothing was done.
 */

const isCommand = (text: string) => /^\/|^todo |^help$/.test(text)

/** What the page, the platforms' greetings and the manuals offer, in one language. */
function offered(language: Language): string[] {
  const { page, slack, discord } = texts(language)
  const greetings = `${slack.welcome('Clew')}\n${discord.welcome('@Clew')}`
  const prompts = language === 'en' ? manuals() : []
  return [
    ...page.examples.map(({ text }) => text),
    ...Array.from(slack.hello.matchAll(/^- `([^`]+)`/gm), ([, text = '']) => text),
    ...Array.from(greetings.matchAll(/@Clew ([^`\n]+)/g), ([, text = '']) => text).filter(
      (text) => text !== 'help',
    ),
    ...prompts,
  ].filter((text) => !isCommand(text))
}

function manuals(): string[] {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const manifest = JSON.parse(read('docs/slack-manifest.json'))
  return [
    ...manifest.features.agent_view.suggested_prompts.map(
      ({ message }: { message: string }) => message,
    ),
    /for example “([^”]+)”/.exec(read('README.md'))?.[1] ?? '',
    /\*\*Ana\*\* @Clew (.+)/.exec(read('docs/discord.md'))?.[1] ?? '',
    /`@Clew ([^`…]+)`/.exec(read('docs/slack.md'))?.[1] ?? '',
  ]
}

const wanted = {
  en: [
    ...offered('en'),
    'Compare three venues for the team offsite and book a date, then write a short report',
    'Every weekday at nine, post what is due today',
    'Every friday at 4pm remind the team to log hours',
    'Add “Call the caterer”, “Send the invitations” and “Book the bus” to my to-dos',
    'please add milk, bread and --tag x to the to-do list',
    'Show me my to-dos',
    'What is overdue?',
  ],
  zh: [
    ...offered('zh'),
    '每个工作日九点，发一下今天到期的事项',
    '把“买牛奶”和“寄信”加入待办',
    '把买菜、做饭和洗碗加到待办',
    '列出我的待办',
  ],
}

/** Some are offered in several places; each is played under one of the strategies, which agree on what is played. */
const requests = (['en', 'zh'] as const).flatMap((locale) =>
  [...new Set(wanted[locale])].map((text) => [locale, text] as const),
)

describe.each(strategyNames)('under %s a rehearsal', (strategy) => {
  let lab: Lab
  beforeAll(async () => {
    lab = await openLab({ start: Date.UTC(2026, 10, 20, 9), env: { AGENT_STRATEGY: strategy } })
  })
  afterAll(() => lab.stop())

  const runOf = async (id = ''): Promise<RunView> => (await lab.get(`/api/runs/${id}`)) as RunView
  async function worked(id: string): Promise<number> {
    const { trace } = (await lab.get(`/api/runs/${id}/trace`)) as {
      trace: { what: { kind: string; ok?: boolean } }[]
    }
    return trace.filter(({ what }) => what.kind === 'acted' && what.ok).length
  }

  /** Says it, answers every question, and waits for the end. */
  async function play(
    text: string,
    { locale = 'en', answer }: { locale?: string; answer?: string } = {},
  ) {
    const thread = await lab.say(text, { locale })
    for (let questions = 0; questions < 6; questions += 1) {
      const view = await lab.until(async () => {
        const now = await lab.thread(thread)
        return (now.question !== null || now.runs[0]?.endedAt != null) && now
      })
      if (view.question === null) {
        const run = await runOf(view.runs[0]?.id)
        return {
          run,
          report: view.messages.at(-1)?.text ?? '',
          ticked: run.progress?.done ?? 0,
          worked: await worked(run.id),
        }
      }
      const { choices, id } = view.question
      await lab.post(
        `/api/questions/${id}/answer`,
        answer === undefined ? { choice: choices[0] } : { text: answer },
      )
    }
    throw new Error(`${text}: too many questions`)
  }

  it.each(requests.filter((_, index) => strategyNames[index % strategyNames.length] === strategy))(
    'plays (%s) “%s” to its end and ticks only what it did',
    async (locale, text) => {
      const { run, report, ticked, worked } = await play(text, { locale })
      expect(run.status).toBe('succeeded')
      expect(worked).toBeGreaterThan(0)
      expect(ticked).toBeLessThanOrEqual(worked)
      expect(run.progress?.items.length).toBe(ticked)
      expect(report).toContain(locale === 'en' ? 'This was a demo' : '这是一次演示')
    },
  )

  it('says what the tools answered, what people said, and the times of a schedule (R16)', async () => {
    const offsite = await play('Compare the three venues and book a date for the offsite')
    expect(offsite.report).toMatch(/Added \*\*#\d+\*\* Compare the venues \(Lisbon\)/)
    expect(offsite.report).toContain('answered “Which city?” with “Lisbon”.')
    const reminder = await play('Remind me tomorrow at 9 to call Bob')
    expect(reminder.report).toMatch(/I’ll remind you: .* call Bob · once, \S+T09:00:00\+00:00/)
    const rule = await play('Every weekday at nine, post what is due today')
    expect(rule.report).toMatch(/every weekday at 09:00\nNext: 2026-11-23T09:00:00\+00:00/)
  })

  it('takes an answer in other words, whatever is in it', async () => {
    const { report } = await play('Compare the three venues', {
      answer: 'by the "sea" --due never',
    })
    expect(report).toMatch(/Added \*\*#\d+\*\* Compare the venues \(by the "sea" --due never\)/)
  })

  it('ticks nothing that did not work, and says so (R8)', async () => {
    const { report, ticked, worked } = await play('Every friday at 25:00 list my to-dos')
    expect({ ticked, worked }).toEqual({ ticked: 0, worked: 0 })
    expect(report).toMatch(
      /Not done: Schedule “Every friday at 25:00 list my to-dos”\. .+This was a demo/s,
    )
  })

  it('fails what needs a model although nobody asked it first, and says how to connect one (R44)', async () => {
    const made = await lab.post('/api/schedules', {
      text: '2027-01-01 09:00 Count the stars',
      timeZone: 'UTC',
    })
    const { id } = made.body.schedule as { id: number }
    await lab.post(`/api/schedules/${id}/run`, {})
    const run = await lab.until(async () => {
      const { runs } = (await lab.get('/api/runs')) as { runs: RunView[] }
      return runs.find(
        ({ title, endedAt }) => title.includes('Count the stars') && endedAt !== null,
      )
    })
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('OPENAI_API_KEY'),
    })
  })

  it('answers everything else at once, without a plan', async () => {
    const thread = await lab.say('what’s 2+2')
    expect(await lab.reply(thread)).toMatch(/^This needs a language model[^.]+\.$/)
    expect((await lab.thread(thread)).runs).toEqual([])
  })
})
