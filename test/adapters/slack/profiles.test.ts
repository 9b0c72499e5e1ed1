import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith } from '../../support/programs.ts'
import { startRedis } from '../../support/redis.ts'
import { until } from './support.ts'
import { startWhole, type Whole } from './whole.ts'

describeWith('redis-server', 'profiles of channels in Slack', (program) => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let whole: Whole
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clew-profiles-'))
    await mkdir(join(folder, 'channels'))
    await writeFile(join(folder, 'channels/C1.md'), '---\npeople: [UANA]\n---\n')
    await writeFile(join(folder, 'channels/C2.md'), '---\nname: x\npeolpe: [UANA]\n---\n')
    server = await startRedis(program)
    whole = await startWhole(server.url, 'socket', {
      settings: { ADMIN_USERS: 'UANA', ALLOWED_USERS: 'UBEN', AGENT_HOME: folder },
    })
    for (const channel of whole.slack.state.channels.values())
      for (const id of ['UANA', 'UBEN']) channel.members.add(id)
  })
  afterAll(async () => {
    await whole.stop()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const told = (user: string) =>
    whole.slack.state.ephemerals.filter((one) => one.user === user).map(({ text }) => text)

  it('say who may ask, above ALLOWED_USERS, by messages and commands (C672)', async () => {
    const { people } = whole.slack
    people.mention('C1', 'UBEN', 'hello')
    await until(() => told('UBEN').some((text) => text.includes('not on the list')))
    const list = async (user: string) =>
      JSON.stringify((await people.command('C1', user, '/todo', 'list')).reply)
    expect(await list('UBEN')).toContain('not on the list')
    expect(await list('UANA')).not.toContain('not on the list')
  })

  it('say what holds and why by /about, to those who ask (C763)', async () => {
    const { people } = whole.slack
    const about = async (channel: string) =>
      JSON.stringify((await people.command(channel, 'UANA', '/about', '')).reply)
    expect(await about('C1')).toMatch(/Only one person can ask me\. .*profile/)
  })

  it('that were never understood close the channel, and admins are told the line (C674)', async () => {
    const { people } = whole.slack
    for (const user of ['UANA', 'UBEN']) people.mention('C2', user, 'hello')
    const sentence = 'I do nothing here until'
    const closed = (user: string) => told(user).find((text) => text.includes(sentence))
    await until(() => closed('UANA') !== undefined && closed('UBEN') !== undefined)
    expect(closed('UANA')).toContain('line 3: peolpe')
    expect(closed('UBEN')).not.toContain('line 3')
  })
})
