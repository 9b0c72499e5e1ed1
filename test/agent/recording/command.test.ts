import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replayAll } from '../../../scripts/replay.ts'
import { temporary } from '../../adapters/coding/support.ts'
import { useClew } from '../../support/agent.ts'
import { recordedRun, recordedThread } from './recorded.ts'

const start = useClew()

/** Recordings of a run of each strategy and of a thread, as files. */
async function recordings(): Promise<string> {
  const folder = await temporary()
  for (const strategy of ['step', 'batch', 'free'] as const)
    await writeFile(join(folder, `${strategy}.jsonl`), await recordedRun(start, { strategy }))
  await writeFile(join(folder, 'thread.jsonl'), await recordedThread(start))
  return folder
}
/** A checkout of its own, with the same prompts. */
async function anotherVersion(): Promise<string> {
  const root = join(import.meta.dirname, '../../..')
  const version = await temporary()
  await mkdir(join(version, 'src'), { recursive: true })
  for (const part of ['agent', 'locales'])
    await cp(join(root, 'src', part), join(version, 'src', part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(version, 'node_modules'))
  return version
}
async function replayed(...args: string[]) {
  const lines: string[] = []
  const code = await replayAll(args, (line) => void lines.push(line))
  return { code, lines: lines.join('\n') }
}

it('replays a folder, with other prompts or another team (C661, C663, C664)', async () => {
  const folder = await recordings()
  expect(await replayed(folder)).toMatchObject({
    code: 0,
    lines: expect.stringMatching(/^4 recordings, \d+ requests: all the same/),
  })

  const home = await temporary()
  await writeFile(join(home, 'instructions.md'), 'Be brief.')
  const other = await replayed('--home', home, folder)
  expect(other.code).toBe(1)
  expect(other.lines).toContain('4 of 4 recordings differ.')
  expect(other.lines).toMatch(/request 1 \(\w+\) differs from character/)

  expect((await replayed('--prompts', await anotherVersion(), folder)).code).toBe(0)
})

it.each([
  ['free.jsonl: request 1 (act)', "ask: 'Go on.'", "ask: 'Go along.'"],
  ['thread.jsonl: request 1 (decision)', "'Run types:'", "'Types of runs:'"],
])(
  'names exactly the recordings that use a contract whose words changed: %s (C664, C891)',
  async (first, was, is) => {
    const folder = await recordings()
    const version = await anotherVersion()
    const prompts = join(version, 'src/agent/model/prompts.ts')
    const text = await readFile(prompts, 'utf8')
    expect(text).toContain(was)
    await writeFile(prompts, text.replace(was, is))
    const { code, lines } = await replayed('--prompts', version, folder)
    expect(code).toBe(1)
    expect(lines).toContain(`${first} differs`)
    expect(lines).toContain('1 of 4 recordings differ.')
  },
)
