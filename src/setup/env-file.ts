import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export type EnvLines = Readonly<Record<string, string>>

/**
 * The text of an `.env` file with these settings in it: each in the place of its old line, else at
 * the end. All other lines stay as they are.
 *
 * @throws Error if the file would then not be read as meant, such as around a value of several
 *   lines.
 */
export function withSettings(text: string, settings: EnvLines): string {
  const lines = text === '' ? [] : text.trimEnd().split('\n')
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${quoted(value)}`
    const at = lines.findLastIndex((one) => nameIn(one) === name)
    if (at === -1) lines.push(line)
    else lines[at] = line
  }
  const written = `${lines.join('\n')}\n`
  const [before, after] = [parseEnv(text), parseEnv(written)]
  const wanted = { ...before, ...settings }
  const names = new Set([...Object.keys(after), ...Object.keys(wanted)])
  const wrong = [...names].find((name) => after[name] !== wanted[name])
  if (wrong !== undefined) throw new Error(`${wrong} cannot be written into this .env file`)
  return written
}

const nameIn = (line: string) => /^(?:export )?([\w.-]+) ?=/.exec(line.trim())?.[1]

const quoted = (value: string) => (/^[\w.:/@+=,-]*$/.test(value) ? value : `'${value}'`)

/**
 * Writes settings into the folder's `.env`, readable for its owner alone. The old file stays beside
 * it as `.env.before`; `isThere` says whether there was one.
 *
 * @throws Error as of `withSettings`, or of the file system. The old file is untouched then.
 */
export function writeSettings(folder: string, settings: EnvLines): { isThere: boolean } {
  const file = join(folder, '.env')
  const draft = `${file}.new`
  const copy = `${file}.before`
  const isThere = existsSync(file)
  const text = withSettings(isThere ? readFileSync(file, 'utf8') : '', settings)
  writeFileSync(draft, text, { mode: 0o600 })
  if (isThere) {
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
  }
  renameSync(draft, file)
  return { isThere }
}
