import fc from 'fast-check'
import { type Memory, move } from '../../../src/agent/domain/memory.ts'
import type { Change, Lease, Store } from '../../../src/agent/ports/store.ts'
import type { Item } from '../../../src/agent/ports/wakeups.ts'
import { adding, proposing } from '../../contracts/memories.ts'
import {
  ana,
  changeOf,
  conversationOf,
  deliveryOf,
  itemOf,
  lineOf,
  messageEvent,
  observationOf,
  opening,
  questionOf,
  runOf,
  taskOf,
  workspace,
} from '../../contracts/store/rows.ts'
import type { ManualClock } from '../../fakes/clock.ts'

/** One thing that somebody does to a store: what, to which item, and a number that makes one differ from another. */
export interface Step {
  what: (typeof whats)[number]
  item: number
  n: number
}

const whats = [
  'accept',
  'open',
  'claim',
  'renew',
  'park',
  'release',
  'over',
  'reclaim',
  'advance',
  'create',
  'ask',
  'answer',
  'input',
  'cancel',
  'deliver',
  'overhear',
  'task',
  'end',
  'trying',
  'refused',
  'sent',
  'shown',
  'read',
  'todo',
  'remember',
  'set',
  'connect',
  'arrange',
  'erase',
  'purge',
] as const

/** Histories in which something happens: every step is as likely as every other. */
export const histories = fc.array(
  fc.record({
    what: fc.constantFrom(...whats),
    item: fc.nat(4),
    n: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 10, maxLength: 40 },
)

const tourSteps: Step['what'][] = [
  ...([
    'open',
    'accept',
    'claim',
    'create',
    'claim',
    'task',
    'overhear',
    'deliver',
    'trying',
    'refused',
    'sent',
    'shown',
    'todo',
    'remember',
    'set',
    'connect',
  ] as const),
  ...([
    'arrange',
    'erase',
    'read',
    'renew',
    'reclaim',
    'end',
    'park',
    'release',
    'over',
    'advance',
    'advance',
    'purge',
  ] as const),
]
/** One history that comes by every script. */
export const tour: Step[] = tourSteps.map((what) => ({ what, item: 0, n: 1 }))

const ben = { id: 'u2', name: 'Ben' }

/** Carries histories out; what makes no sense at a point (a commit without a lease, say) does nothing there. */
export function createActor(store: Store, rival: Store, clock: ManualClock) {
  const leases = new Map<string, Lease>()
  const opened = 'c_opened'
  const threads = new Set<string>()
  let told = 0

  const items = (): Item[] => {
    const known = [...threads, opened]
    return [
      ...known.map((id) => itemOf('conversation', id)),
      itemOf('run', 'r_1'),
      ...known.map((id) => itemOf('outbox', id)),
    ]
  }
  const pick = ({ item }: Step): Item => {
    const all = items()
    return all[item % all.length] ?? itemOf('run', 'r_1')
  }
  const nameOf = (item: Item) => `${item.kind} ${item.id}`

  async function commit(
    make: (conversationId: string, n: number) => Partial<Change>,
    step: Step,
    kind: Item['kind'],
  ) {
    const lease = [...leases.values()].filter((one) => one.item.kind === kind)[step.item % 3]
    if (lease === undefined) return
    const conversationId = kind === 'run' ? opened : lease.item.id
    told += 1
    await store.commits.commit(
      lease,
      changeOf({ at: clock.now(), conversationId, ...make(conversationId, told) }),
    )
  }
  async function withLease(step: Step, work: (lease: Lease) => Promise<unknown>) {
    const lease = leases.get(nameOf(pick(step)))
    if (lease !== undefined) await work(lease)
  }
  async function outbox(work: (lease: Lease) => Promise<unknown>) {
    for (const lease of leases.values()) if (lease.item.kind === 'outbox') await work(lease)
  }

  return async (step: Step): Promise<void> => {
    const { n } = step
    switch (step.what) {
      case 'accept': {
        const thread = n === 3 ? 'new' : `t${n}`
        await store.rates.take({
          workspace,
          who: ana.id,
          key: `m${step.item}`,
          at: clock.now(),
          perMinute: 3,
        })
        const { conversationId } = await store.inbox.accept(
          messageEvent(step.item, { thread }),
          opening,
        )
        threads.add(conversationId)
        return
      }
      case 'open':
        return await store.conversations.open(conversationOf())
      case 'claim': {
        for (const item of items()) {
          const lease = await store.leases.claim(item, 10_000)
          if (lease !== null) leases.set(nameOf(item), lease)
        }
        return
      }
      case 'renew':
        return await withLease(step, (lease) => store.leases.renew(lease, 10_000))
      case 'park':
        return await withLease(step, (lease) => store.leases.park(lease, clock.now() + n * 1_000))
      case 'release':
        return await withLease(step, (lease) =>
          store.leases.release(lease, n === 1 ? { wakeAt: clock.now() + 1 } : {}),
        )
      case 'over':
        return await withLease(step, (lease) => store.leases.release(lease, { over: true }))
      case 'reclaim':
        return void (await rival.leases.reclaim())
      case 'advance':
        return await clock.advance(n * 5_000)
      case 'create':
        return await commit(
          (conversationId, m) => ({
            create: [
              runOf({ conversationId }),
              runOf({
                id: `r_lone_${m}`,
                status: 'failed',
                endedAt: clock.now(),
                createdAt: clock.now(),
              }),
              runOf({
                id: `r_ben_${m}`,
                status: 'failed',
                requestedBy: ben,
                createdAt: clock.now(),
              }),
            ],
            consume: 1,
          }),
          step,
          'conversation',
        )
      case 'ask':
        return await commit((_, m) => ({ ask: questionOf(m), messages: [lineOf(m)] }), step, 'run')
      case 'answer':
        return await commit(
          (_, m) => ({
            answered: {
              question: questionOf(m - 1),
              answer: 'Lisbon',
              author: ana,
              at: clock.now(),
            },
          }),
          step,
          'run',
        )
      case 'input':
        return await commit(
          (_, m) => ({
            inputs: [{ runId: 'r_1', input: { kind: 'continue', entryId: `e_${m}` } }],
          }),
          step,
          'conversation',
        )
      case 'cancel':
        return await commit(
          () => ({
            runs: [
              { id: 'r_1', patch: { status: 'canceled', endedAt: clock.now() }, fenceOff: true },
            ],
          }),
          step,
          'conversation',
        )
      case 'deliver':
        return await commit(
          (id, m) => ({
            deliveries: [deliveryOf(m, id)],
            progress: 'r_1',
            outcomes: [{ messageId: 'm', outcome: { kind: 'waiting' } }],
          }),
          step,
          n === 1 ? 'conversation' : 'run',
        )
      case 'overhear':
        return await commit(
          (_, m) => ({
            unsaid: [lineOf(m)],
            rewritten: [
              {
                before: lineOf(m - 1),
                after: { ...lineOf(m - 1), text: 'anew', editedAt: clock.now() },
              },
            ],
            overheard: [
              { gone: `k${m - 2}` },
              { version: 1, key: `k${m}`, author: ben, text: 'hi', at: clock.now() },
            ],
          }),
          step,
          'conversation',
        )
      case 'task':
        return await commit(
          (_, m) => ({
            task: {
              before: null,
              after: taskOf({ currentPlanIndex: m, observations: [observationOf(m)] }),
            },
            trace: [{ of: 'r_1', entry: { at: clock.now(), what: { kind: 'task_done' } } }],
          }),
          step,
          'run',
        )
      case 'end':
        return await commit(
          () => ({
            runs: [{ id: 'r_1', patch: { status: 'succeeded', endedAt: clock.now() } }],
            consume: 1,
          }),
          step,
          'run',
        )
      case 'trying':
        return await outbox(async (lease) => {
          const [delivery] = (await store.outbox.next(lease)).deliveries
          if (delivery !== undefined) await store.outbox.trying(lease, delivery.id)
        })
      case 'refused':
        return await outbox(async (lease) => {
          const [delivery] = (await store.outbox.next(lease)).deliveries
          if (delivery === undefined) return
          const aside = {
            list: 'refused' as const,
            id: delivery.id,
            row: JSON.stringify(delivery),
            problem: 'no',
          }
          await store.commits.commit(
            lease,
            changeOf({ at: clock.now(), consume: 1, aside: [aside] }),
          )
          await store.backlog.sendAgain(workspace, delivery.id, clock.now())
        })
      case 'sent':
        return await outbox(async (lease) => {
          const [delivery] = (await store.outbox.next(lease)).deliveries
          if (delivery !== undefined)
            await store.outbox.sent(lease, delivery.id, lease.item.id === opened ? 'new' : null)
        })
      case 'shown':
        return await outbox(async (lease) => {
          const { deliveries, progress } = await store.outbox.next(lease)
          const sent = deliveries.slice(0, step.n - 1).map(({ id }) => id)
          await store.leases.release(lease, { done: { sent, shown: progress[0] ?? null } })
        })
      case 'connect': {
        const connected = runOf({ id: `r_group_${n}`, createdAt: clock.now() })
        await store.runs.admit(connected)
        return void (await store.runs.admit(
          { ...connected, id: `r_member_${step.item}` },
          { gatherer: connected.id, size: 50 },
        ))
      }
      case 'read':
        return void (await store.conversations.markRead(workspace, opened, clock.now()))
      case 'todo':
        return await changeTodos(store, step)
      case 'remember':
        return await remember(store, step, clock.now())
      case 'set': {
        const effect = { ...askedBy(`s${n}${step.item}`), thread: opened }
        const setting = { name: 'quiet', scope: 'user:u1', effect }
        return n === 1
          ? await store.notes.drop(workspace, 'quiet', setting)
          : await store.notes.put(workspace, 'quiet', `${step.item}`, null, setting)
      }
      case 'arrange':
        return void (await store.conversations.arrange(
          workspace,
          opened,
          { title: 'Renamed', pinned: n === 1 },
          clock.now(),
        ))
      case 'erase':
        await store.audit.append(
          { ...askedBy(`erase ${n} ${step.item}`), thread: opened },
          { workspace, what: 'person', scope: 'user:u1', id: ben.id, change: 'erase' },
          `${n}`,
        )
        return void (await store.privacy.erase(workspace, ben.id))
      case 'purge':
        await store.audit.trim(workspace, clock.now() - n * 1_000)
        return void (await store.retention.purge(clock.now() - n * 1_000))
    }
  }
}

async function remember({ memories }: Store, { n, item }: Step, at: number): Promise<void> {
  const change =
    n === 1
      ? adding(`fact ${item}`, { key: null, at })
      : n === 2
        ? proposing(`proposal ${item}`, at + 5_000, { key: null, at })
        : (memory: Memory) => {
            const step = move(memory, item, 'revoked', { by: ana, at })
            return step.ok ? step.change : null
          }
  await memories.change(workspace, 'workspace', `m${n}${item}`, change)
}

const askedBy = (id: string) => ({ id, by: ana.id, thread: null })

async function changeTodos({ todos }: Store, { n, item }: Step): Promise<void> {
  const row = {
    text: 'Call Ana',
    tag: 'default',
    priority: 0,
    dueAt: null,
    remindAt: null,
    doneAt: null,
    createdAt: 0,
  }
  const effect = `x${item}`
  if (n === 1) await todos.add(workspace, 's', askedBy(`a${item}`), row)
  else if (n === 2)
    await todos.update(workspace, 's', askedBy(`u${effect}`), item, { priority: item })
  else await todos.remove(workspace, 's', `r${effect}`, item)
}
