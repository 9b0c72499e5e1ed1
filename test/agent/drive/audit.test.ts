import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AuditRow } from '../../../src/agent/domain/audit.ts'
import { readRow, verifyChain } from '../../../src/agent/domain/audit-chain.ts'
import type { Approval, Effect, Tool } from '../../../src/agent/ports/tool.ts'
import { acts, closes, decides, ends, plans } from '../../fakes/model.ts'
import {
  ana,
  ben,
  type TestClew,
  type TestOptions,
  useClew,
  workspace,
} from '../../support/agent.ts'
import { unattended } from './story.ts'

const start = useClew()

const textsOf = (clew: TestClew) => clew.store.audit.rows(workspace, 0, 1_000)
async function rowsOf(clew: TestClew): Promise<AuditRow[]> {
  const texts = await textsOf(clew)
  expect(verifyChain(texts.join('\n')).fault).toBeNull()
  return texts.flatMap((text) => readRow(text) ?? [])
}
type Kind<K> = Extract<AuditRow, { kind: K }>
const ofKind = <K extends AuditRow['kind']>(rows: readonly AuditRow[], kind: K) =>
  rows.filter((row): row is Kind<K> => row.kind === kind)

/** A tool that counts what it did outside, and whose row was there when it was called. */
function mailer(options: { effect?: Effect; approval?: Approval } = {}) {
  const { effect = 'unkeyed', approval = 'never' } = options
  const done: { effectId: string; isAnnounced: boolean }[] = []
  let clew: TestClew | null = null
  const tool: Tool = {
    ...{ name: 'mail', effect, approval, description: 'Sends mail.' },
    looks: (input) => input === 'look',
    async run(input, { effectId }) {
      if (input === 'look') return { ok: true, text: 'an inbox' }
      const rows = clew === null ? [] : await rowsOf(clew)
      const own = rows.filter((row) => 'effect' in row && row.effect === effectId)
      done.push({ effectId, isAnnounced: own.at(-1)?.kind === 'intent' })
      return { ok: !input.includes('nobody'), text: `sent to ${input}` }
    },
  }
  const watch = (one: TestClew) => {
    clew = one
  }
  return { done, tool, watch }
}

/** Each effect has its rows, each intent its one outcome behind it. */
async function expectWhole(clew: TestClew, done: ReturnType<typeof mailer>['done']) {
  const rows = await rowsOf(clew)
  const intents = ofKind(rows, 'intent')
  const outcomes = ofKind(rows, 'outcome')
  expect(done.filter(({ isAnnounced }) => !isAnnounced)).toEqual([])
  const announced = intents.map(({ effect }) => effect)
  for (const { effectId } of done) expect(announced).toContain(effectId)
  const name = ({ run, step }: { run: string; step: number }) => `${run} ${step}`
  expect(outcomes.map(name).toSorted()).toEqual(intents.map(name).toSorted())
  for (const { run, step, seq } of intents)
    expect(outcomes.find((one) => one.run === run && one.step === step)?.seq).toBeGreaterThan(seq)
  return { rows, intents, outcomes }
}

/** A task of Ana's whose model makes these calls, one after the other, however often it is asked. */
async function mailing(options: TestOptions, ...inputs: string[]): Promise<TestClew> {
  const clew = await start(options)
  clew.model.answer(({ contract, input }) => {
    if (contract === 'decision') return decides.run('Invite ben@example.org')
    if (contract === 'plan') return plans('Invite')
    if (contract !== 'thought') return ends('Done.')
    const { observations } = z.object({ observations: z.array(z.unknown()) }).parse(input)
    const next = inputs[observations.length]
    return next === undefined ? closes() : acts(next, 'mail')
  })
  return clew
}

describe('the rows of calls', () => {
  it('are an intent before and an outcome after each call that acts, and none of one that looks (C710, C712)', async () => {
    const mail = mailer()
    const clew = await mailing({ tools: [mail.tool] }, 'ben@example.org', 'look', 'nobody')
    mail.watch(clew)
    await clew.say('Invite ben@example.org and nobody else')
    await clew.idle()
    const { intents, outcomes } = await expectWhole(clew, mail.done)
    expect(mail.done).toHaveLength(2)
    const run = (await clew.run()).id
    const common = { run, tool: 'mail', by: ana.id, thread: clew.conversationId, workspace }
    expect(intents).toMatchObject([
      { ...common, step: 1, rule: 'free', approvedBy: null, origin: { input: 'asker' } },
      { ...common, step: 5, as: 'asker', origin: { input: 'asker' } },
    ])
    expect(outcomes).toMatchObject([{ result: 'ok' }, { ...common, result: 'failed' }])
    // Contents stand nowhere, and their hash is under the thread's key.
    expect((await textsOf(clew)).join('')).not.toContain('example.org')
  })

  it('say who approved a call, and by which rule (S71)', async () => {
    for (const approval of ['always', 'first'] as const) {
      const mail = mailer({ approval })
      const clew = await mailing({ tools: [mail.tool], admins: [ben.id] }, 'x', 'y')
      mail.watch(clew)
      await clew.say('Invite x and y')
      await clew.idle()
      expect(await rowsOf(clew)).toEqual([])
      await clew.say('yes', { by: ben })
      await clew.idle()
      if (approval === 'always') await clew.say('no')
      await clew.idle()
      const { rows, intents } = await expectWhole(clew, mail.done)
      const rule = approval === 'always' ? 'call' : 'tool'
      const isOnce = approval === 'always'
      expect(intents).toMatchObject(
        Array(isOnce ? 1 : 2).fill({ by: ana.id, approvedBy: ben.id, rule }),
      )
      expect(ofKind(rows, 'approval')).toMatchObject([
        { by: ben.id, granted: true, step: 1 },
        ...(isOnce ? [{ by: ana.id, granted: false, step: 3 }] : []),
      ])
    }
  })

  it('say which schedule allowed it, and whose that is (S71)', async () => {
    const mail = mailer()
    const clew = await start({ tools: [mail.tool] })
    mail.watch(clew)
    clew.model.on('plan', plans('Invite'))
    clew.model.on('thought', acts('x', 'mail'), closes())
    clew.model.on('replan', ends('Done.'))
    const place = { channel: 'general', conversationId: null, locale: 'en', timeZone: 'UTC' }
    const schedule = {
      ...{ scope: 'channel:general', id: 1, slot: 0, allow: ['mail'], place, createdBy: ben },
    }
    await unattended(clew, { schedule, input: { goal: 'Write to x' } })
    await clew.idle()
    const { intents } = await expectWhole(clew, mail.done)
    expect(intents).toMatchObject([{ rule: 'schedule', approvedBy: ben.id, by: ben.id }])
  })

  it('say that the outcome is unknown where the run was stopped in the call (C710)', async () => {
    const mail = mailer()
    const stuck: Tool = {
      ...mail.tool,
      run: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }
    const clew = await mailing({ tools: [stuck] }, 'x')
    await clew.say('Invite x')
    await expect.poll(async () => (await rowsOf(clew)).length).toBe(1)
    await clew.say('stop')
    await clew.idle()
    const { outcomes } = await expectWhole(clew, [])
    expect(outcomes).toMatchObject([{ result: 'unknown', step: 1 }])
  })
})

describe('a crash at any commit or call', () => {
  const points = [
    ...['before', 'after'].flatMap((when) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`${when} commits.commit`, n] as const),
    ),
    ...[1, 2].flatMap((n) => [
      ['before tool mail.run', n] as const,
      ['after tool mail.run', n] as const,
    ]),
  ]
  it.each(['keyed', 'unkeyed'] as const)(
    'leaves every effect of a tool with effect %s its rows, every intent its outcome (C710)',
    async (effect) => {
      for (const [point, n] of points) {
        const mail = mailer({ effect })
        const clew = await mailing({ tools: [mail.tool] }, 'ben@example.org', 'cem@example.org')
        mail.watch(clew)
        clew.crashAt(point, n)
        await clew.say('Invite ben@example.org and cem@example.org')
        await clew.idle()
        for (let minute = 0; minute < 4; minute++) {
          await clew.advance(60_000)
          await clew.idle()
          // Where its outcome is unknown it is asked, and goes on.
          if ((await clew.state()).questions.length > 0) await clew.say('1')
          await clew.idle()
        }
        const { intents } = await expectWhole(clew, mail.done)
        expect(intents.length, `${point} ${n}`).toBeGreaterThan(0)
        await clew.stop()
      }
    },
  )
})

it('what people set has its row, in the commit that sets it (C711)', async () => {
  const clew = await start()
  await clew.say('/strategy batch')
  await clew.say('/todo add Call Ben', { by: ben })
  await clew.say('/quiet 18:00-9:00')
  await clew.idle()
  expect(ofKind(await rowsOf(clew), 'kept')).toMatchObject([
    { what: 'setting', id: 'strategy', change: 'batch', by: ana.id, thread: clew.conversationId },
    { what: 'todo', id: '1', change: 'add', scope: 'channel:general', by: ben.id },
    { what: 'setting', id: 'quiet', scope: `user:${ana.id}`, by: ana.id },
  ])
})

it('posts the newest rows to a channel once a day, where that is set (C719)', async () => {
  const clew = await start({ auditHeads: { workspace, channel: 'general' } })
  const posted = () =>
    clew.channel.shown.flatMap(({ delivery: { body } }) =>
      body.kind === 'final' ? [body.text] : [],
    )
  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour++) await clew.advance(3_600_000)
    await clew.idle()
  }
  await hours(2)
  expect(posted()).toEqual([])
  await clew.say('/todo add Call Ben')
  await clew.idle()
  await hours(3)
  expect(posted()).toHaveLength(1)
  const head = await clew.store.audit.head(workspace)
  expect(posted()[0]).toContain(`${workspace}=1:${head?.hash}`)
  await hours(24)
  expect(posted()).toHaveLength(2)
})
