import { appendFile, readFile } from 'node:fs/promises'
import type { Tool } from 'clew/tool'

const file = new URL('../logbook.txt', import.meta.url)

/**
 * Writes outside Clew, so people approve it once a task. The same effect id again is the same call again, after a crash: then the
 * line is there already, and that makes this tool `keyed`.
 */
const logbook: Tool = {
  name: 'logbook',
  effect: 'keyed',
  approval: 'first',
  description: "Writes a line into the workshop's logbook. The input is the line.",
  async run(input, { effectId, person, now }) {
    const line = input.replaceAll(/\s+/g, ' ').trim()
    const written = await readFile(file, 'utf8').catch(() => '')
    if (!written.includes(effectId))
      await appendFile(
        file,
        `${new Date(now).toISOString()} ${person?.name ?? 'Clew'}: ${line} [${effectId}]\n`,
      )
    return { ok: true, text: `written: ${line}` }
  },
}
export default logbook
