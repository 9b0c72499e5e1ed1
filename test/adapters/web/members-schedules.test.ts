import { afterEach, expect, it } from 'vitest'
import { type FakeSlack, startFakeSlack } from '../../fakes/slack/server.ts'
import { useWholeClew } from '../../support/whole-clew.ts'
import { get, operator, signInWithSlack, slackSettings } from './members-support.ts'
import { ask } from './support.ts'

const start = useWholeClew()
let slack: FakeSlack
afterEach(() => slack.stop())

interface Calendar {
  rows: { id: number; workspace: string; scope: string; title: string; paused: boolean }[]
}

it('lets members run and pause the schedules of their channels from the page, as who they are there (C260, S26, S29)', async () => {
  slack = await startFakeSlack({ minuteMs: null })
  slack.state.channels.get('C1')?.members.delete('UBEN')
  const { url } = await start({ ...slackSettings(slack), ALLOWED_CHANNELS: 'C1,C2' })
  const of = async (user: string) => (await signInWithSlack(url, slack, user)).headers()
  const [ana, ben] = [await of('UANA'), await of('UBEN')]
  slack.people.mention('C1', 'UWEI', '/schedule add every day 9:00 water the trees --note')
  const rowFor = async (headers: Record<string, string>) => {
    const path = `/api/calendar?from=${Date.now()}&to=${Date.now() + 3 * 86_400_000}`
    return ((await get(url, path, headers)).body as Calendar).rows[0]
  }
  await expect
    .poll(() => rowFor(operator), { timeout: 20_000 })
    .toMatchObject({ id: 1, scope: 'channel:C1' })
  expect(await rowFor(ana)).toMatchObject({
    id: 1,
    workspace: 'slack:T1',
    title: 'water the trees',
  })
  expect(await rowFor(ben)).toBeUndefined()

  const act = async (
    headers: Record<string, string>,
    id: number,
    action: 'PATCH' | 'run' | 'dry',
    channel = 'C1',
  ) => {
    const at = `${url}/api/schedules/${id}${action === 'PATCH' ? '' : `/${action}`}?workspace=slack:T1&channel=${channel}`
    const answer = await ask(
      at,
      action === 'PATCH' ? 'PATCH' : 'POST',
      action === 'PATCH' ? { paused: true } : {},
      headers,
    )
    return { status: answer.status, body: answer.body }
  }
  for (const action of ['PATCH', 'run', 'dry'] as const) {
    const unknown = await act(ana, 77, action)
    expect(unknown.status, action).toBe(404)
    expect(await act(ben, 1, action), 'not in that channel').toEqual(unknown)
    expect(await act(ana, 1, action, 'C9'), 'no such channel').toEqual(unknown)
    expect(await act(ana, 1, action, 'user:UWEI')).toEqual(unknown)
  }
  expect(await act(ana, 1, 'dry')).toMatchObject({ status: 200, body: { id: 1 } })
  expect(await act(ana, 1, 'run')).toMatchObject({ status: 202 })
  expect(await act(ana, 1, 'PATCH')).toMatchObject({ status: 200, body: { paused: true } })
  await expect.poll(() => rowFor(operator)).toMatchObject({ paused: true })
  const said = () => JSON.stringify([...slack.state.channels.values()])
  await expect.poll(said, { timeout: 20_000 }).toContain('water the trees')
})
