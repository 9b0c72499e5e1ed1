import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules', '.bin', 'tsc')

/**
 * Checks the tools of a team's folder against the project's own types, where the compiler is installed.
 *
 * @returns one line for each error; null when there is nothing to check, or nothing to check it with.
 */
export async function typeErrorsIn(home: string): Promise<string[] | null> {
  const tools = resolve(home, 'tools')
  if (!existsSync(compiler) || !existsSync(tools)) return null
  const folder = await mkdtemp(join(tmpdir(), 'clew-types-'))
  try {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        paths: { 'clew/tool': [join(root, 'src/public/tool.ts')] },
        // Whether or not the folder has a package.json that says what its files are.
        module: 'preserve',
        moduleResolution: 'bundler',
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [`${tools}/**/*.ts`],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await promisify(execFile)(compiler, ['--noEmit', '--pretty', 'false', '-p', folder])
    return []
  } catch (error) {
    const out =
      typeof error === 'object' && error !== null && 'stdout' in error
        ? String(error.stdout)
        : String(error)
    return out.split('\n').filter((line) => /error TS\d+/.test(line))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
