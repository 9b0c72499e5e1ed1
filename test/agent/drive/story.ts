import type { Run } from '../../../src/agent/domain/run.ts'
import type { Tool } from '../../../src/agent/ports/tool.ts'
import { decides, plans } from '../../fakes/model.ts'
import { type TestClew, type TestOptions, workspace } from '../../support/agent.ts'

type Start = (options?: TestOptions) => Promise<TestClew>

/** A thread in which a task with this plan has been asked for; what the model thinks comes from the test. */
export async function working(
  start: Start,
  options: TestOptions,
  ...items: string[]
): Promise<TestClew> {
  const clew = await start(options)
  clew.model.on('decision', decides.run('Book the offsite'))
  clew.model.on('plan', plans(...items))
  return clew
}

/** Work that nobody asked for in a thread, as a schedule makes it. */
export async function unattended(clew: TestClew, over: Partial<Run> = {}): Promise<Run> {
  const run: Run = {
    version: 1,
    id: 'r_unattended',
    workspace,
    conversationId: null,
    channel: 'general',
    type: 'agent_task',
    title: 'Weekly report',
    input: { goal: 'Write the weekly report' },
    status: 'queued',
    requestedBy: null,
    requestId: 'schedule-1',
    parentRunId: null,
    afterRunId: null,
    createdAt: clew.clock.now(),
    startedAt: null,
    endedAt: null,
    error: null,
    result: null,
    attempts: 0,
    ...over,
  }
  const anchor = { workspace, channel: 'general', thread: 'anchor' }
  const { conversationId } = await clew.store.inbox.accept(
    {
      ...anchor,
      keys: ['anchor'],
      author: { id: 'ana', name: 'Ana', bot: false },
      whose: { way: 'typed' as const, by: 'member' as const },
      at: clew.clock.now(),
      content: { kind: 'message', text: 'anchor', addressed: true, forSomeoneElse: false },
    },
    { locale: 'en', timeZone: 'UTC' },
  )
  const lease = await clew.store.leases.claim(
    { kind: 'conversation', workspace, id: conversationId },
    1_000,
  )
  if (lease === null) throw new Error('the anchor is held')
  await clew.store.commits.commit(lease, {
    id: 'create',
    at: clew.clock.now(),
    consume: 1,
    create: [run],
  })
  await clew.store.leases.release(lease)
  await clew.bus.open().wake({ kind: 'run', workspace, id: run.id })
  return run
}

/** A tool that counts what it did, by effect id. */
export function counting(
  name: string,
  effect: Tool['effect'],
  answer = 'done',
): Tool & { ids: string[] } {
  const ids: string[] = []
  return {
    name,
    effect,
    description: name,
    ids,
    async run(_input, { effectId }) {
      ids.push(effectId)
      return { ok: true, text: answer }
    },
  }
}
