import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { commandFrom } from '../../../src/agent/commands/command-from-table.ts'
import { goalIn, taskTable } from '../../../src/agent/commands/task.ts'
import type { TaskDeps } from '../../../src/agent/commands/task-names.ts'
import { createSystemClock } from '../../../src/clock.ts'
import { openProfilesOf, openTeam } from '../../../src/compose/team.ts'
import { readConfig } from '../../../src/config.ts'
import { conversationWith } from '../../agent/commands/context.ts'
import { startOffering } from '../../fakes/mcp/offering.ts'
import { value } from '../../fakes/openai/replies.ts'
import { silent } from '../../support/silent.ts'
import { decision, tell, useWholeClew, when } from '../../support/whole-clew.ts'
import { listenTo } from '../web/event-stream.ts'
import { ask } from '../web/support.ts'
import { serversFile, useBench } from './support.ts'

const open = useBench()
const start = useWholeClew()
const ana = { id: 'ana', name: 'Ana' }

it('prompts are listed with their fields, filled in and shown before anything begins (C927)', async () => {
  const [{ use, servers }, server] = await Promise.all([open(), startOffering()])
  onTestFinished(() => server.close())
  await use({ shelf: { url: server.url } })
  const deps = { prompts: servers.prompts } as unknown as TaskDeps
  const { say, run } = conversationWith(commandFrom(taskTable, deps))
  expect(await say('templates')).toContain(
    '- `/task template shelf/review topic=… [tone=…]` · Reviews a text.',
  )
  expect(await say('template shelf/review tone=kind')).toContain('topic=… [tone=…]')
  expect(await say('template shelf/nothing')).toContain('I know no template `shelf/nothing`')
  for (const typed of ['the plan', 'topic=the plan'])
    expect(await say(`template shelf/review ${typed}`)).toContain(
      'Review the plan in a plain tone.',
    )
  const { offers = [], ...shown } = await run('template shelf/review tone=kind topic=the plan')
  expect(shown).toMatchObject({ private: true, text: /Review the plan in a kind tone/ })
  const goal = 'By the template shelf/review: Review the plan in a kind tone.'
  expect(offers).toEqual([{ label: 'Begin', command: `/task ${goal}` }])
  expect(goalIn(offers[0]?.command ?? '')).toBe(goal)
  await servers.stop()
  expect(await say('templates')).toContain('no plan templates')
})

it('a prompt that a channel’s profile hides is not there (C673, C927)', async () => {
  const server = await startOffering()
  onTestFinished(() => server.close())
  const home = await mkdtemp(join(tmpdir(), 'clew-prompts-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  await mkdir(join(home, 'channels'))
  const hiding = '---\ntools:\n  shelf__*: hidden\n---\nQuiet here.\n'
  await writeFile(join(home, 'channels', 'C1.md'), hiding)
  const config = readConfig({
    AGENT_HOME: home,
    MCP_CONFIG: await serversFile({ shelf: { url: server.url } }),
  })
  const parts = { clock: createSystemClock(), log: silent }
  const profiles = await openProfilesOf(config, parts)
  const team = await openTeam(config, { ...parts, env: {}, profiles })
  onTestFinished(async () => {
    profiles?.stop()
    await team?.stop()
  })
  const names = (channel: string) => team?.prompts.list(channel).map(({ name }) => name)
  expect(names('C1')).toEqual([])
  expect(names('other')).toEqual(['shelf/review'])
})

it('the button of a prompt begins its task (C927)', async () => {
  const desk = await startOffering()
  onTestFinished(() => desk.close())
  const config = await serversFile({ shelf: { url: desk.url } })
  const { server, url } = await start({ AGENT_STRATEGY: 'free', MCP_CONFIG: config })
  const tab = await listenTo(url, '?after=0-0&author=ana')
  onTestFinished(() => tab.close())
  const id = await tell(url, '/task template shelf/review topic=the plan', ana)
  const { data } = await tab.next((one) => JSON.stringify(one).includes('"command":"/task By'))
  const said = JSON.stringify(data)
  expect(said).toContain('Review the plan in a plain tone.')
  const command = /"command":"(\/task By[^"]*)"/.exec(said)?.[1]
  server.on('decision', decision('Review the plan'))
  server.on('act', value({ text: 'It is over.', calls: [] }))
  const press = { text: command, clientMessageId: 'press', author: ana }
  await ask(`${url}/api/conversations/${id}/messages`, 'POST', press)
  await when(url, id, ({ run }) => run?.status === 'succeeded')
  const [asked] = server.requests.filter(({ contract }) => contract === 'decision')
  expect(asked?.prompt).toContain('Review the plan in a plain tone.')
})
