import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RunView } from '../../../src/adapters/web/views.ts'
import { promptFor } from '../../../src/agent/model/prompts.ts'
import { closes, createFakeModel, decides, ends, plans, replans } from '../../fakes/model.ts'
import { openLab } from '../../schedules/support.ts'

const release =
  '# Release notes for a version\n- Collect what was merged\n- Sort it\n- Write the notes\n'

async function opened() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-plans-'))
  await mkdir(join(folder, 'plans'))
  await writeFile(join(folder, 'plans/release.md'), release)
  const model = createFakeModel()
  const lab = await openLab({ model, env: { AGENT_HOME: folder } })
  onTestFinished(async () => {
    await lab.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { lab, model, folder }
}

it('is offered to the plan by name and taken in place of its name; it is one accepted plan, and changes as any other (C124, R2, R10, R29)', async () => {
  const { lab, model, folder } = await opened()
  model.on('decision', decides.run('Notes for 1.2, with the plan release'))
  model.on('plan', plans('@releases'), plans('@release', 'Send them to Ana'))
  model.on(
    'thought',
    { ...closes('7 merged'), leads_to: 'replan' },
    closes('sorted'),
    closes('asked'),
  )
  model.on('replan', replans('Sort it', 'Ask Ben to read them'), ends('Ready.'))
  const thread = await lab.say('Notes for 1.2, with the plan release')
  const view = await lab.until(async () => {
    const seen = await lab.thread(thread)
    return seen.run?.status === 'succeeded' && seen
  })
  const asked = model.calls.flatMap((call) => (call.contract === 'plan' ? [call.input] : []))
  expect(asked.map(({ refusal }) => refusal)).toEqual([
    null,
    'there is no template @releases; the templates are @release',
  ])
  const [first] = asked
  if (first === undefined) throw new Error('no plan was asked for')
  expect(promptFor('plan', first).context).toContain(
    '- @release: Release notes for a version (3 steps)',
  )
  const replan = model.calls.find(({ contract }) => contract === 'replan')
  expect(replan).toMatchObject({
    input: { remainingPlan: ['Sort it', 'Write the notes', 'Send them to Ana'] },
  })
  const { progress } = (await lab.get(`/api/runs/${view.run?.id}`)) as RunView
  expect(progress?.items.map(({ text }) => text)).toEqual([
    'Collect what was merged',
    'Sort it',
    'Ask Ben to read them',
  ])
  // What the file says by then is nothing to a plan that was made.
  await rm(join(folder, 'plans/release.md'))
  await lab.restart()
  const again = (await lab.get(`/api/runs/${view.run?.id}`)) as RunView
  expect(again.progress?.items).toEqual(progress?.items)
})

it('is listed by /task templates as the folder is now (C124)', async () => {
  const { lab, folder } = await opened()
  const thread = await lab.say('/task templates')
  expect(await lab.reply(thread)).toBe(
    '**Plan templates**\n- **release** · Release notes for a version · 3 steps\nName one in your request: “… with the plan release”.',
  )
  await writeFile(join(folder, 'plans/weekly.md'), '# 周报\n- 看待办')
  expect(await lab.ask('/task templates', thread)).toContain('- **weekly** · 周报 · 1 step\n')
  await rm(join(folder, 'plans'), { recursive: true })
  expect(await lab.ask('/task templates', thread)).toMatch(/^Your team has no plan templates/)
})
