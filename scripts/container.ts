/**
 * What compose.yaml starts: Clew, with a WEB_TOKEN of its own making where nobody has chosen one. It is made once, kept in the
 * data folder and printed at every start. Clew itself goes on refusing an open HOST without a token. With the word `doctor` it
 * examines the settings instead, with the same token.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.DATA_DIR ?? '.clew'
const file = join(folder, 'web-token')

function keptToken(): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}

const examines = process.argv[2] === 'doctor'
if ((process.env.WEB_TOKEN ?? '').trim() === '') {
  process.env.WEB_TOKEN = keptToken()
  if (!examines) {
    console.log(`Sign in on the page with the token ${process.env.WEB_TOKEN}`)
    console.log(`(kept in ${file}; set WEB_TOKEN in .env to choose your own)`)
  }
}
if (examines) await (await import('./doctor.ts')).main()
else await import(new URL('../start.mjs', import.meta.url).href)
