import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { examine, printed } from '../../scripts/doctor.ts'

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
const linesFor = async (env: Record<string, string>) => (await examine(env, [])).map(printed)

it('names every bad setting at once', async () => {
  const lines = await linesFor({ PORT: 'x', AGENT_STRATEGY: 'best' })
  expect(lines).toHaveLength(2)
  expect(lines.every((line) => line.startsWith('✗ ') && line.includes('.env.example'))).toBe(true)
})

it('says which folders cannot be used, and where to mend it', async () => {
  const folder = await temporary()
  writeFileSync(join(folder, 'file'), '')
  const [file, gone, fresh] = [join(folder, 'file'), join(folder, 'a/b'), join(folder, 'shared')]
  const lines = (await linesFor({ INDEX_FOLDERS: `${folder},${file}`, CODING_FOLDER: gone })).join('\n')
  expect(lines).toMatch(/✓ INDEX_FOLDERS: .* can be read/)
  expect(lines).toMatch(/✗ INDEX_FOLDERS: .*file is no folder that can be read\.\n {4}→ Correct it/)
  expect(lines).toMatch(/✗ CODING_FOLDER: .*a\/b cannot be written/)
  expect((await linesFor({ CODING_FOLDER: fresh })).join('\n')).toMatch(
    /· CODING_FOLDER: .* not there yet.*\n.*coding-runner/,
  )
  expect((await linesFor({ CODING_FOLDER: folder })).join('\n')).toContain('✓ CODING_FOLDER: it can be written')
})
