/**
 * `npm run build`: what the package ships, in `dist/`. JavaScript and declarations from the compiler, and beside them what
 * is no TypeScript. Only `npm pack` needs it; the checkout runs its sources as they are.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
cpSync(join(root, 'src'), join(root, 'dist/src'), { recursive: true, filter: (path) => extname(path) !== '.ts' })
