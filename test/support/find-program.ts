import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const browsers = ['chromium', 'chromium-browser', 'google-chrome'] as const
/**
 * The programs that some suites need and npm does not bring, under every name a system gives them. The headless shell is Chromium
 * without the rest of the browser, which costs a third of a suite's processor time; few suites need the rest, too.
 */
const names = {
  'redis-server': ['redis-server', 'valkey-server'],
  chromium: ['chromium-headless-shell', ...browsers],
  'the whole of chromium': browsers,
} as const

export type Program = keyof typeof names

/** Looks `program` up in `path` (by default the PATH of this process). Returns its absolute path or null. */
export function findProgram(
  program: Program,
  path: string = process.env.PATH ?? '',
): string | null {
  for (const name of names[program]) {
    for (const folder of path.split(delimiter)) {
      const candidate = join(folder, name)
      if (folder !== '' && isExecutable(candidate)) return candidate
    }
  }
  return null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
