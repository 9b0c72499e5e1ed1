import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openHome } from '../../../src/adapters/home/home.ts'
import type { ToolContext } from '../../../src/agent/ports/tool.ts'
import { createManualClock } from '../clock.ts'

/* Changes a tool of the folder named by its argument and says what it answers: in a process of its own, since a test runner loads modules its own way. */

const [, , folder = ''] = process.argv
const path = join(folder, 'tools/hello.ts')
const clock = createManualClock()
const write = (words: string) =>
  writeFile(
    path,
    `export default { name: 'hello', effect: 'none', description: 'Greets.', run: async () => ({ ok: true, text: '${words}' }) }\n`,
  )
await write('Good morning')
const home = await openHome(folder, {
  clock,
  log: { debug() {}, info() {}, warn() {}, error() {} },
})
const says = async () =>
  (
    await home
      .tools()
      .find(({ name }) => name === 'hello')
      ?.run('', {} as ToolContext)
  )?.text ?? null
const first = await says()
await write('Good evening!')
while ((await says()) === first) {
  await clock.advance(2_000)
  await wait(5)
}
console.log(JSON.stringify([first, await says()]))
process.exit(0)
