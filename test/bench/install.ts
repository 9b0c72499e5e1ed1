import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Installs a bench's own packages from the lock file in its folder, without any of their scripts,
 * unless they are there and newer than it.
 */
export function installPackages(folder: string): void {
  const writtenAt = (path: string) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (writtenAt('node_modules/.package-lock.json') >= writtenAt('package-lock.json')) return
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', words, { cwd: folder, stdio: 'inherit' })
  if (status === 0) return
  console.error(`npm could not install what ${folder} needs; see above.`)
  process.exit(2)
}
