import { expect, it } from 'vitest'
import { countsOf } from '../../../src/agent/domain/privacy.ts'
import type { Store } from '../../../src/agent/ports/store.ts'
import { scheduleOf } from '../../agent/schedules/rows.ts'
import { adding } from '../memories.ts'
import type { Parts } from '../store.ts'
import {
  ana,
  at,
  claim,
  commitOnce,
  itemOf,
  lineOf,
  messageEvent,
  opening,
  openThread,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from './rows.ts'

const ben = { id: 'u2', name: 'Ben' }
const row = {
  tag: 'default',
  priority: 0,
  dueAt: null,
  remindAt: null,
  doneAt: null,
  createdAt: at,
}
const saying = (text: string) => ({
  kind: 'message' as const,
  text,
  addressed: true,
  forSomeoneElse: false,
})

/** A thread of Ana's and Ben's, one of Ana's alone, and whatever else there can be of Ana. */
export async function lived(store: Store) {
  const shared = await openThread(store, {
    content: saying('secret plan'),
    author: { ...ana, bot: false },
  })
  const next = messageEvent(2, { content: saying('ben was here'), author: { ...ben, bot: false } })
  await store.inbox.accept(next, opening)
  await commitOnce(store, itemOf('conversation', shared), {
    consume: 1,
    conversationId: shared,
    messages: [lineOf(1)],
    overheard: [ana, ben].map((author) => ({
      version: 1,
      key: author.id,
      author,
      text: `secret ${author.name}`,
      at,
    })),
    answered: { question: questionOf(1), answer: 'secret city', author: ana, at },
    create: [
      runOf({
        input: { images: [{ id: 'i_1', name: 'a.png', type: 'image/png' }] },
        id: 'r_done',
        status: 'succeeded',
        conversationId: shared,
        result: 'secret result',
        endedAt: at,
      }),
      runOf({
        id: 'r_bens',
        status: 'succeeded',
        conversationId: shared,
        requestedBy: ben,
        title: 'Of Ben',
        endedAt: at,
      }),
      runOf({ id: 'r_works', status: 'running', conversationId: shared }),
    ],
  })
  const images = [{ id: 'i_2', name: 'b.png', type: 'image/png' }]
  for (const id of ['i_1', 'i_2', 'i_3'])
    await store.notes.put(workspace, `image:${id}`, 'secret', null)
  const said = { step: 1, question: null, text: 'secret hint', author: ana, images }
  await commitOnce(store, itemOf('run', 'r_bens'), {
    task: { before: null, after: taskOf({ clarifications: [said] }) },
  })
  // A word that happens to be what somebody is called by is no name.
  const asked = {
    ...{ ...questionOf(3), choices: [ana.id, 'Porto'] },
    ...{ owner: ana, askedOf: ana.name, approval: true, approvers: [ana.id, ben.id] },
  }
  await commitOnce(store, itemOf('run', 'r_bens'), {
    conversationId: shared,
    answered: { question: asked, answer: 'Porto', author: ben, at },
    // It was stopped before it heard of this.
    inputs: [
      {
        runId: 'r_bens',
        input: { kind: 'joined', entryId: 'e_9', text: 'secret addition', author: ana },
      },
    ],
  })
  const alone = await openThread(store, {
    thread: 't2',
    keys: ['alone'],
    content: saying('secret diary'),
  })
  await commitOnce(store, itemOf('conversation', alone), {
    conversationId: alone,
    messages: [lineOf(2)],
  })
  await commitOnce(store, itemOf('conversation', alone), {
    conversationId: alone,
    answered: { question: questionOf(2), answer: 'secret door', author: ana, at },
    trace: [{ of: alone, entry: { at, what: { kind: 'task_done' } } }],
  })
  await store.artifacts.save(workspace, alone, {
    version: 1,
    name: 'a.md',
    text: 'secret file',
    at,
  })
  // What each of them handed in (C791).
  for (const by of ['u1', 'u2'])
    await store.artifacts.keep(workspace, shared, {
      version: 1,
      name: `of ${by}.pdf`,
      text: 'page one',
      sections: [],
      by,
      at,
    })
  await store.memories.change(workspace, 'user:u1', 'x1', adding('secret soup', { by: ana }))
  await store.memories.change(
    workspace,
    'channel:general',
    'x2',
    adding('secret fact', { by: ana, source: { kind: 'person' } }),
  )
  await store.memories.change(
    workspace,
    'channel:general',
    'x3',
    adding('fact of Ben', { by: ben, key: 'b' }),
  )
  await store.todos.add(workspace, 'user:u1', 'x4', { ...row, text: 'secret to-do' })
  await store.todos.add(workspace, 'channel:general', 'x5', {
    ...row,
    text: 'team to-do',
    remindAt: at + 1,
    by: ana,
  })
  await store.todos.add(workspace, 'channel:no-threads', 'x6', {
    ...row,
    text: 'by a command',
    by: ana,
  })
  return { shared, alone }
}

const erased = { message: 2, overheard: 1, answer: 2, task: 1, file: 2, fact: 2, todo: 1 }

export async function isGone(store: Store, { shared, alone }: Awaited<ReturnType<typeof lived>>) {
  const states = await Promise.all(
    [shared, alone].map((id) => store.conversations.state(workspace, id, 100)),
  )
  expect(states.map((state) => state?.messages.map(({ text }) => text))).toEqual([
    ['ben was here', 'line 1'],
    [],
  ])
  expect(states.map((state) => state?.conversation.title)).toEqual(['', ''])
  expect(states[0]?.answered[0]).toMatchObject({ answer: '', author: { id: '' } })
  const byBen = await store.conversations.question(workspace, 'q_3')
  expect(byBen?.answered?.question).toMatchObject({
    owner: { id: '' },
    askedOf: null,
    approvers: [ben.id],
  })
  expect(byBen?.question.choices).toEqual([ana.id, 'Porto'])
  expect(byBen?.answered).toMatchObject({ answer: 'Porto', author: ben })
  expect((await store.conversations.overheard(workspace, shared)).map(({ text }) => text)).toEqual([
    'secret Ben',
  ])
  expect((await store.runs.list(workspace, 10)).map(({ id }) => id).sort()).toEqual([
    'r_bens',
    'r_works',
  ])
  expect((await store.runs.state(workspace, 'r_bens'))?.task?.clarifications).toMatchObject([
    { text: '', author: { id: '' } },
  ])
  expect((await store.runs.state(workspace, 'r_bens'))?.inputs).toMatchObject([
    { text: '', author: { id: '' } },
  ])
  const notes = await Promise.all(
    ['i_1', 'i_2', 'i_3'].map((id) => store.notes.get(workspace, `image:${id}`)),
  )
  expect(notes).toEqual([null, null, 'secret'])
  expect(await store.artifacts.saved(workspace, alone)).toEqual([])
  expect(await store.artifacts.keptNames(workspace, shared), 'C791').toEqual(['of u2.pdf'])
  expect(await store.runs.trace(workspace, alone)).toEqual([])
  expect(await store.conversations.question(workspace, 'q_2')).toBeNull()
  const memories = await store.memories.read(workspace, ['user:u1', 'channel:general'])
  expect(memories.map(({ facts }) => facts.map(({ text }) => text))).toEqual([[], ['fact of Ben']])
  expect(
    JSON.stringify(await store.memories.history(workspace, 'channel:general', 10)),
  ).not.toContain('secret')
  expect(await store.memories.owners(workspace)).toEqual(['channel:general'])
  expect(await store.todos.list(workspace, 'user:u1')).toEqual([])
  const [todo] = await store.todos.list(workspace, 'channel:general')
  expect([todo?.text, todo?.by]).toEqual(['team to-do', undefined])
  const [byCommand] = await store.todos.list(workspace, 'channel:no-threads')
  expect([byCommand?.text, byCommand?.by]).toEqual(['by a command', undefined])
}

export function describePrivacy(parts: Parts) {
  it('hands out all that one person said and made, and nothing of anybody else (C117)', async () => {
    const { store } = parts
    await lived(store)
    const kept = await store.privacy.kept(workspace, ana.id)
    expect(countsOf(kept.filter(({ stays }) => stays === undefined))).toEqual(erased)
    expect(kept.flatMap(({ text, stays }) => (stays === undefined ? [] : [[stays, text]]))).toEqual(
      [
        ['name', 'team to-do'],
        ['name', 'by a command'],
        ['work', 'Plan the offsite'],
      ],
    )
    expect(JSON.stringify(kept)).not.toContain('Ben')
    expect(kept.map((one) => one.at)).toEqual(kept.map((one) => one.at).sort())
    expect(await store.privacy.people(workspace)).toEqual(expect.arrayContaining([ana, ben]))
    expect(await store.privacy.kept('web:other', ana.id)).toEqual([])
  })

  it('erases it, leaves to work what it goes on with and to others what is theirs, and again changes nothing (C118)', async () => {
    const { store } = parts
    const threads = await lived(store)
    const lease = await claim(store, itemOf('run', 'r_works'))
    expect(
      countsOf(
        (await store.privacy.erase(workspace, ana.id)).filter(({ stays }) => stays === undefined),
      ),
    ).toEqual(erased)
    await isGone(store, threads)
    // Work that goes on keeps its lease and its row, and can be erased when it has ended.
    expect((await store.runs.state(workspace, 'r_works'))?.run.requestedBy).toEqual(ana)
    const end = { runs: [{ id: 'r_works', patch: { status: 'succeeded' as const, endedAt: at } }] }
    expect(await store.commits.commit(lease, { id: 'k_end', at, ...end })).toMatchObject({
      kind: 'committed',
    })
    expect((await store.privacy.erase(workspace, ana.id)).map(({ kind }) => kind)).toEqual(['task'])
    expect(await store.privacy.erase(workspace, ana.id)).toEqual([])
    expect((await store.privacy.people(workspace)).map(({ id }) => id)).toEqual([ben.id])
  })

  it('takes the name of who allowed a schedule something, and what they allowed (S48)', async () => {
    const { store } = parts
    const when = { kind: 'cron' as const, expression: '0 9 * * *', times: -1 }
    const granted = { when, createdBy: ben, grantedBy: ana, allow: ['post'], mode: 'auto' as const }
    const { id: _, version: __, ...daily } = scheduleOf(granted)
    await store.schedules.add(workspace, 'channel:general', 'x1', daily)
    const kinds = (await store.privacy.erase(workspace, ana.id)).map(({ kind }) => kind)
    expect(kinds).toEqual(['schedule'])
    const [left] = await store.schedules.list(workspace, 'channel:general')
    expect(left).toMatchObject({ createdBy: ben, allow: [] })
    expect(JSON.stringify(left)).not.toMatch(/ana|auto/i)
  })

  it('hands what one person owns to another, once, and back again (C379)', async () => {
    const { store } = parts
    const shared = await openThread(store, { author: { ...ana, bot: false } })
    const open = { owner: ana, askedOf: ana.name, approval: true, approvers: [ana.id] }
    await commitOnce(store, itemOf('conversation', shared), {
      conversationId: shared,
      create: [
        runOf({ id: 'r_works', status: 'running', conversationId: shared }),
        runOf({ id: 'r_done', status: 'succeeded', endedAt: at }),
        runOf({ id: 'r_bens', requestedBy: ben }),
      ],
      ask: { ...questionOf(1, 'r_works'), ...open },
    })
    const when = { kind: 'cron' as const, expression: '0 9 * * *', times: -1 }
    const { id: _, version: __, ...daily } = scheduleOf({ when, createdBy: ana, allow: ['post'] })
    const waits = { ...daily, paused: true, gone: 'owner' as const }
    await store.schedules.add(workspace, 'channel:general', 'x1', waits)
    await store.schedules.add(workspace, 'channel:other', 'x2', { ...daily, createdBy: ben })
    await store.todos.add(workspace, 'channel:general', 'x3', { ...row, text: 'call', owner: ana })
    await store.todos.add(workspace, 'user:u1', 'x4', { ...row, text: 'diary' })

    const moved = { task: 1, schedule: 1, approval: 1, todo: 1, own: 1 }
    expect(await store.privacy.handOver(workspace, ana.id, ben)).toEqual(moved)
    const runs = await store.runs.list(workspace, 10)
    const owners = runs.map(({ id, requestedBy }) => [id, requestedBy?.id]).sort()
    expect(owners).toEqual([
      ['r_bens', ben.id],
      ['r_done', ana.id],
      ['r_works', ben.id],
    ])
    const asked = await store.conversations.question(workspace, 'q_1')
    expect(asked?.question).toMatchObject({ owner: ben, askedOf: 'Ben', approvers: [ben.id] })
    const [schedule] = await store.schedules.list(workspace, 'channel:general')
    expect(schedule).toMatchObject({ createdBy: ben, grantedBy: ana, paused: false })
    expect(schedule?.gone).toBeUndefined()
    expect((await store.todos.list(workspace, 'channel:general'))[0]?.owner).toEqual(ben)
    const none = { task: 0, schedule: 0, approval: 0, todo: 0, own: 1 }
    expect(await store.privacy.handOver(workspace, ana.id, ben)).toEqual(none)
    const back = { ...moved, task: 2, schedule: 2, own: 0 }
    expect(await store.privacy.handOver(workspace, ben.id, ana)).toEqual(back)
  })
}
