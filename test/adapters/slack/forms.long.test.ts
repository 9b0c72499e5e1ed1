import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buttonsOf } from '../../fakes/slack/people.ts'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { type ClewProcess, createClewProcess } from '../../support/clew-process.ts'
import { until } from './support.ts'
import { threadOf } from './whole.ts'

const text = 'the 3rd, by the river'

describe('forms in Slack, whose process ends (C183)', () => {
  let slack: FakeSlack
  let clew: ClewProcess
  let folder: string
  let said: { ts: string }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'clew-forms-'))
    slack = await startFakeSlack({ ackMs: 2_000, retryMs: [], minuteMs: null })
    clew = await createClewProcess(folder, {
      OPENAI_MODEL: 'rehearsal',
      REHEARSAL_PACE_MS: '0',
      SLACK_BOT_TOKEN: slack.state.bot.token,
      SLACK_APP_TOKEN: slack.state.appToken,
      SLACK_API_URL: slack.apiUrl,
      SLACK_PROGRESS_MS: '10',
    })
    await clew.start()
    said = slack.people.mention('C1', 'UANA', 'Compare the three venues and book a date')
  })
  afterEach(async () => {
    await clew.kill()
    await slack.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const own = () => threadOf(slack, 'C1', said.ts).own()
  /** Waits for the report, and expects the answer in the thread once. */
  async function reported() {
    await threadOf(slack, 'C1', said.ts).saying(/: done\./)
    expect(own().filter(({ text: shown }) => shown.includes(`Ana: ${text}`))).toHaveLength(1)
    expect(own().filter(({ text: shown }) => shown.includes(': done.'))).toHaveLength(1)
  }
  async function opened() {
    const asked = await until(() =>
      own().find(({ blocks }) =>
        buttonsOf(blocks).some(({ actionId }) => actionId === 'clew:words'),
      ),
    )
    await slack.people.click('C1', 'UANA', asked.ts, 'In my own words')
    return await until(() => slack.state.forms.get('UANA'))
  }

  it.each(['kill', 'stop'] as const)(
    'are stored before they are acknowledged, and told once after a %s right behind it',
    async (end) => {
      await opened()
      const { acked } = await slack.people.submit('UANA', { text })
      expect(acked).toBe(true)
      await clew[end]()
      await clew.start()
      await reported()
    },
  )

  it('count once when they are handed in again because nobody acknowledged them', async () => {
    const form = await opened()
    const first = slack.people.submit('UANA', { text }, form)
    await clew.kill()
    await clew.start()
    if (!(await first).acked)
      expect((await slack.people.submit('UANA', { text }, form)).acked).toBe(true)
    await reported()
  })
})
