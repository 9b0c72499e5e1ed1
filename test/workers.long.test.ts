import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WorkerState } from '../src/adapters/web/deps.ts'
import { ask } from './adapters/web/support.ts'
import { acts, closes, decides, ends, plans, replans } from './fakes/model.ts'
import { delayed, value } from './fakes/openai/replies.ts'
import type { FakeRequest } from './fakes/openai/request.ts'
import { startOpenAi } from './fakes/openai/server.ts'
import { type ClewProcess, createClewProcess } from './support/clew-process.ts'
import { tell } from './support/whole-clew.ts'

const places = ['Lisbon', 'Porto', 'Faro']

/** A model that notes three places for each trip. It keeps no state: all follows from the prompt. */
function notes({ contract, prompt }: FakeRequest): object {
  switch (contract) {
    case 'decision':
    case 'overheard':
      return decides.run(/Trip \d+/.exec(prompt)?.[0] ?? '')
    case 'plan':
      return plans(...places)
    case 'thought': {
      const now = prompt.slice(prompt.lastIndexOf('The current item'))
      const place = places.find((one) => now.includes(one)) ?? ''
      const trip = /Trip \d+/.exec(prompt)?.[0] ?? ''
      const isNoted = prompt.includes(`add ${place} for ${trip}`)
      return isNoted
        ? closes(`${place} is noted.`)
        : acts(`add ${place} for ${trip}`, 'todo', place)
    }
    default: {
      const rest = prompt.slice(prompt.indexOf('What remains of the plan:'))
      const plan = places.filter((one) => new RegExp(`^ *- ${one}`, 'm').test(rest))
      return plan.length === 0 ? ends('All is noted.') : replans(...plan)
    }
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('one Clew with workers of its own', () => {
  async function start(settings: Record<string, string>) {
    const folder = await mkdtemp(join(tmpdir(), 'clew-workers-'))
    const model = await startOpenAi({ remembers: false })
    let calls = 0
    model.answer((request) => {
      calls++
      return delayed(20, value(notes(request)))
    })
    const clew = await createClewProcess(join(folder, 'data'), {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'fake',
      LOG_LEVEL: 'warn',
      ...settings,
    })
    onTestFinished(async () => {
      await clew.stop()
      await model.close()
      await rm(folder, { recursive: true, force: true })
    })
    await clew.start()
    return { clew, calls: () => calls }
  }

  const workersOf = async ({ url }: ClewProcess) => {
    const { body } = await ask(`${url}/readyz`)
    return (body as { workers: WorkerState[] }).workers
  }
  /** Waits until all of them work; answers their processes. */
  const working = async (clew: ClewProcess) =>
    await vi.waitFor(
      async () => {
        const workers = await workersOf(clew)
        expect(workers.map(({ state }) => state)).toEqual(workers.map(() => 'working'))
        return workers.map(({ pid }) => pid ?? 0)
      },
      { timeout: 60_000, interval: 100 },
    )
  const gone = async (pids: readonly number[]) =>
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 20_000)

  it('loses and doubles nothing when each is killed with -9 in the middle of tasks (C588, C589, P31)', async () => {
    const { clew, calls } = await start({ WORKERS: '2' })
    const pids = await working(clew)
    const threads = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => tell(clew.url, `Plan Trip ${n}`)),
    )
    for (const [at, pid] of pids.entries()) {
      await vi.waitFor(() => expect(calls()).toBeGreaterThan(14 * (at + 1)), 60_000)
      process.kill(pid, 'SIGKILL')
    }
    for (const id of threads)
      await vi.waitFor(
        async () => {
          const { body } = await ask(`${clew.url}/api/conversations/${id}`)
          const { run, messages } = body as {
            run: { status: string }
            messages: { text: string }[]
          }
          expect(run.status).toBe('succeeded')
          expect(messages.filter(({ text }) => text.includes('All is noted.'))).toHaveLength(1)
        },
        { timeout: 200_000, interval: 200 },
      )
    const { body } = await ask(`${clew.url}/api/todos`)
    const { todos } = body as { todos: { text: string }[] }
    expect(todos.map(({ text }) => text).sort()).toEqual(
      [1, 2, 3, 4, 5, 6].flatMap((n) => places.map((place) => `${place} for Trip ${n}`)).sort(),
    )
    const again = await working(clew)
    expect(again.filter((pid) => pids.includes(pid))).toEqual([])
    expect((await workersOf(clew)).map(({ restarts }) => restarts)).toEqual([1, 1])
    expect(clew.output()).toContain('worker 2 was ended by SIGKILL')
    expect(clew.output()).toMatch(/"worker":1/)
  })

  it('says how all are, answers for them, and ends them before itself (C590, C588)', async () => {
    const { clew } = await start({ WORKERS: '2' })
    const pids = await working(clew)
    await vi.waitFor(async () => {
      const metrics = await (await fetch(`${clew.url}/metrics`)).text()
      for (const worker of ['1', '2'])
        expect(metrics).toContain(`clew_process_cpu_seconds_total{worker="${worker}"}`)
      expect(metrics.match(/^# TYPE clew_process_cpu_seconds_total/gm)).toHaveLength(1)
    })
    const { body } = await ask(`${clew.url}/api/health`)
    expect((body as { lines: object[] }).lines).toContainEqual(
      expect.objectContaining({ name: 'Workers', level: 'well', text: 'All 2 workers run.' }),
    )
    await clew.stop()
    expect(pids.filter(isAlive)).toEqual([])
    await clew.start()
    const others = await working(clew)
    await clew.kill()
    await gone(others)
  })
})
