import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditWith, rowsOf } from '../../scripts/audit.ts'
import { temporary } from '../adapters/coding/support.ts'
import { ben, useClew, workspace } from '../support/agent.ts'

const start = useClew()

async function story() {
  const clew = await start()
  for (const text of ['Call Ben', 'Call Cem', 'Call Dan']) await clew.say(`/todo add ${text}`)
  await clew.say('/todo done 1', { by: ben })
  await clew.idle()
  const run = async (...args: string[]) => {
    const lines: string[] = []
    const code = await auditWith(
      args,
      (line) => void lines.push(line),
      () => rowsOf(clew.store.audit),
    )
    return { code, said: lines.join('\n') }
  }
  return { clew, run, log: `clew:{${workspace}}:audit` }
}

it('verifies the store and an export of it, and names the row that is not as it was (C715)', async () => {
  const { clew, run, log } = await story()
  const whole = await run('verify')
  expect(whole).toMatchObject({ code: 0, said: expect.stringContaining('4 rows: each as it was') })
  const [head = ''] = whole.said.split('\n')
  expect(head).toMatch(/^test:team=4:[0-9a-f]{40}$/)

  const file = join(await temporary(), 'audit.jsonl')
  const { said: rows } = await run('export')
  await writeFile(file, `${rows}\n`)
  expect(await run('verify', file, '--head', head)).toMatchObject({ code: 0 })
  const lines = rows.split('\n')
  await writeFile(file, lines.toSpliced(2, 1).join('\n'))
  expect(await run('verify', file)).toMatchObject({
    code: 1,
    said: 'Row 3 (line 3, test:team) is missing, and all up to 3.',
  })
  await writeFile(file, lines.slice(0, 2).join('\n'))
  expect(await run('verify', file)).toMatchObject({ code: 0 })
  expect(await run('verify', file, '--head', head)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^Row 3 .* is missing, and all up to 4\.$/),
  })
  await writeFile(file, rows.replace('"by":"ben"', '"by":"ana"'))
  expect((await run('verify', file)).said).toMatch(/^Row 4 .* is not as it was written\.$/)

  await clew.redis.xdel(log, '2-0')
  expect((await run('verify')).said).toMatch(/^Row 2 .* is missing/)
  await clew.redis.xdel(log, '4-0', '3-0')
  expect((await run('verify')).said).toMatch(/^Row 2 .* is missing, and all up to 4\.$/)
})

it('says how it is used', async () => {
  const { run } = await story()
  for (const args of [[], ['verify', 'a', 'b'], ['check'], ['verify', '--head', 'x']])
    expect(await run(...args)).toMatchObject({ code: 2, said: expect.stringContaining('--head') })
})
