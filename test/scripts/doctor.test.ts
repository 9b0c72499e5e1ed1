import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { examine, printed } from '../../scripts/doctor.ts'
import * as fake from '../fakes/openai/replies.ts'
import { startOpenAi } from '../fakes/openai/server.ts'
import { startProvider } from '../fakes/providers.ts'

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
  const lines = (await linesFor({ INDEX_FOLDERS: `${folder},${file}`, CODING_FOLDER: gone })).join(
    '\n',
  )
  expect(lines).toMatch(/✓ INDEX_FOLDERS: .* can be read/)
  expect(lines).toMatch(
    /✗ INDEX_FOLDERS: .*file is not a folder that can be read\.\n {4}→ Correct it/,
  )
  expect(lines).toMatch(/✗ CODING_FOLDER: Clew cannot write to .*a\/b/)
  expect((await linesFor({ CODING_FOLDER: fresh })).join('\n')).toMatch(
    /· CODING_FOLDER: .* does not exist yet.*\n.*coding-runner/,
  )
  expect((await linesFor({ CODING_FOLDER: folder })).join('\n')).toContain(
    '✓ CODING_FOLDER: Clew can write to it',
  )
})

it('makes one real request, in whatever form is taken, and says what is in the way and how to mend it (C91)', async () => {
  const server = await startOpenAi({ functions: 'refused' })
  onTestFinished(() => server.close())
  const modelLine = async () => {
    const lines = await linesFor({
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'sk-x',
      OPENAI_MODEL: 'm',
    })
    return lines.find((line) => line.includes('Model:'))
  }
  server.answer(() => fake.value({ content: 'Hello.' }))
  expect(await modelLine()).toMatch(/^✓ Model: m at .* answers\.$/)
  server.answer(() => fake.httpError(401, { code: 'invalid_api_key' }))
  expect(await modelLine()).toMatch(/^✗ Model: .* refuses the API key.*\n.*OPENAI_API_KEY/)
})

it('asks the model that works and the one that decides, each by its own name (C91, C134)', async () => {
  const local = await startOpenAi()
  onTestFinished(() => local.close())
  local.answer(({ body: { model } }) =>
    model === 'small' ? fake.value({ content: 'Hello.' }) : fake.httpError(404),
  )
  const env = {
    OPENAI_BASE_URL: local.url,
    OPENAI_API_KEY: 'k',
    OPENAI_MODEL: 'large',
    AGENT_DECISION_MODEL: 'small',
  }
  const told = (await linesFor(env)).filter((line) => line.includes('Model:'))
  expect(told).toEqual([
    expect.stringMatching(/^✗ Model: 127.*large, does not know the model/),
    expect.stringMatching(/^✓ Model: small at 127.* answers\./),
  ])
})

it('asks every model of the lists, and names the settings of whose provider it is (C133, C134)', async () => {
  const [local, anthropic, google] = await Promise.all([
    startOpenAi(),
    startProvider('anthropic'),
    startProvider('google'),
  ])
  onTestFinished(
    async () => void (await Promise.all([local, anthropic, google].map((one) => one.close()))),
  )
  local.answer(() => fake.value({ content: 'Hello.' }))
  anthropic.answerBy(() => ({
    ...{ kind: 'failure', status: 401 },
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  }))
  google.answerBy(() => ({ kind: 'value', contract: 'chat', value: { content: 'Hello.' } }))
  const lines = await linesFor({
    ...{
      OPENAI_BASE_URL: local.url,
      OPENAI_API_KEY: 'k',
      GOOGLE_API_KEY: 'k',
      GOOGLE_BASE_URL: google.url,
    },
    ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: anthropic.url },
    ...{ AGENT_MODELS: 'qwen3, anthropic:claude-x', AGENT_MODELS_SUMMING_UP: 'google:gemini-x' },
  })
  const told = lines.filter((line) => line.includes('Model:'))
  expect(told).toEqual([
    expect.stringMatching(/^✓ Model: qwen3 at 127\.0\.0\.1:\d+ answers\.$/),
    expect.stringMatching(
      /^✗ Model: 127.*claude-x, refuses the API key\.\n {4}→ Check ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL/,
    ),
    expect.stringMatching(/^✓ Model: gemini-x at 127\.0\.0\.1:\d+ answers\./),
  ])
  expect(told[1]).not.toContain('OPENAI')
  expect(lines.join('\n')).not.toContain('none is set')
})
