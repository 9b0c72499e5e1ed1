/**
 * `npm run build`: what the package ships, in `dist/`. JavaScript and declarations from the compiler, and the page
 * and the server's start bundled. Only `npm pack` needs it; the checkout runs its sources as they are.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer } from './server-bundle.ts'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
})
execFileSync(process.execPath, [
  join(root, 'scripts/bundle.ts'),
  join(root, 'dist/src/adapters/web/bundle'),
])
await bundleServer(join(root, 'dist'), 'js', join(root, 'dist/bundle'))
