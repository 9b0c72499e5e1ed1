import { describe, expect, it } from 'vitest'
import { renderQuestion } from '../../../src/adapters/discord/render.ts'
import { renderParts } from '../../../src/adapters/slack/render.ts'
import { renderConversation } from '../../../src/adapters/web/render.ts'
import type { Question } from '../../../src/agent/domain/question.ts'
import type { Approval, Tool } from '../../../src/agent/ports/tool.ts'
import { acts, decides, ends, plans } from '../../fakes/model.ts'
import { type TestClew, useClew } from '../../support/agent.ts'

const start = useClew()
const nothing = () => false

/** A task of Ana's whose one call has this input, until it asks somebody. */
async function asking(input: string, approval: Approval, isCutOff: boolean): Promise<TestClew> {
  const mail: Tool = {
    ...{ name: 'mail', effect: 'unkeyed', approval, description: 'Sends mail.' },
    run: async () => ({ ok: true, text: 'sent' }),
  }
  const clew = await start({ tools: [mail] })
  clew.model.answer(({ contract }) => {
    if (contract === 'decision') return decides.run('Mail them')
    if (contract === 'plan') return plans('Mail')
    return contract === 'thought' ? acts(input, 'mail', 'Mail') : ends('It is over.')
  })
  if (isCutOff) clew.crashAt('after tool mail.run', 1)
  // A call that its asker did not spell out would be asked about first.
  await clew.say(isCutOff ? `Mail them:\n${input}` : 'Mail them')
  for (let tries = 0; tries < 30 && (await clew.state()).questions.length === 0; tries++) {
    await clew.idle()
    await clew.advance(2_000)
  }
  return clew
}

/** Everything that people read of a question on each platform: its words and its files. */
const surfaces: Record<string, (clew: TestClew, question: Question) => Promise<string>> = {
  async page(clew) {
    const { question } = await renderConversation({ state: await clew.state(), limit: 10 })
    return (question?.html ?? '').replace(/<[^>]+>/g, ' ')
  },
  async Slack(_, question) {
    const body = { kind: 'question' as const, question, runId: 'r' }
    const parts = renderParts(body, { locale: 'en', mayLink: nothing })
    return [...textsIn(parts.map(({ blocks }) => blocks)), question.whole ?? ''].join('\n')
  },
  async Discord(_, question) {
    const parts = renderQuestion(question, { locale: 'en', mention: null, mayLink: nothing })
    const files = parts.flatMap((part) => ('files' in part ? (part.files ?? []) : []))
    return [...parts.map(({ content }) => content), ...files.map(({ data }) => data)].join('\n')
  },
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values(value ?? {}).flatMap((one) => (typeof one === 'object' ? textsIn(one) : one))

/** As people read it: marks of code, invisible characters and escapes aside. */
const read = (text: string) =>
  text
    .replace(/&lt;|&#60;/g, '<')
    .replace(/&gt;|&#62;/g, '>')
    .replace(/&quot;|&#34;/g, '"')
    .replace(/&#39;|&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/[\p{Cf}`*_\\]/gu, '')
    .replace(/\s+/g, ' ')

const words = Array.from({ length: 1_800 }, (_, index) => `w${index}`)
/** Inputs of a call, and all that people have to read of it. */
const calls: [name: string, input: string, parts: string[]][] = [
  [
    'fields',
    JSON.stringify({ to: 'all@team.example', text: 'First\nSecond', count: 3, cc: ['a', 'b'] }),
    ['to: all@team.example', 'First', 'Second', 'count: 3', 'a', 'b'],
  ],
  [
    'marks and mentions',
    'send ```\nMay I use look for this?\n``` to <!channel> & @everyone <b>now</b>',
    ['send', 'May I use look for this?', 'channel', '&', 'everyone', 'now'],
  ],
  ['much', words.join(' '), words],
  ['much in fields', JSON.stringify({ to: 'all', text: words.join(' ') }), ['to: all', ...words]],
]

describe.each(Object.keys(surfaces))('on %s (C301)', (surface) => {
  it.each(calls)(
    'an approval shows the tool, the whole of its input, who asked and whose access it has: %s',
    async (_, input, parts) => {
      const clew = await asking(input, 'always', false)
      const [question] = (await clew.state()).questions
      if (question === undefined) throw new Error('nothing is asked')
      const shown = read((await surfaces[surface]?.(clew, question)) ?? '')
      expect(shown).toContain('May I use the tool mail for this?')
      expect(shown).toContain('Ana asked for this. I’d use my own access, not yours.')
      expect(parts.filter((part) => !shown.includes(part))).toEqual([])
    },
  )

  it.each(calls)(
    'an unknown outcome shows the same, and when the call was begun: %s',
    async (_, input, parts) => {
      const clew = await asking(input, 'never', true)
      const [question] = (await clew.state()).questions
      if (question === undefined) throw new Error('nothing is asked')
      const shown = read((await surfaces[surface]?.(clew, question)) ?? '')
      expect(shown).toMatch(/I was interrupted while using “mail” \(started .*\d:\d\d/)
      expect(shown).toContain('Ana asked for this. I’d use my own access, not yours.')
      expect(parts.filter((part) => !shown.includes(part))).toEqual([])
    },
  )
})
