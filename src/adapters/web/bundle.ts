import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, stop } from 'esbuild'

const page = join(import.meta.dirname, 'page')

/**
 * Builds the files of the page by name: all modules as one script, the colouring of code as another
 * (C250), all style sheets as one, the icon and the manifest.
 *
 * @throws if esbuild is not installed or a module has an error.
 */
export async function bundlePage(): Promise<Map<string, string>> {
  try {
    const { outputFiles } = await build({
      entryPoints: [
        { in: join(page, 'main.tsx'), out: 'page' },
        { in: join(page, 'page.css'), out: 'page' },
        { in: join(page, 'code.ts'), out: 'code' },
      ],
      outdir: page,
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2024',
      charset: 'utf8',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'silent',
    })
    return new Map([
      ...outputFiles.map(({ path, text }) => [basename(path), text] as const),
      ['icon.svg', await readFile(join(page, 'icon.svg'), 'utf8')],
      ['manifest.webmanifest', await readFile(join(page, 'manifest.webmanifest'), 'utf8')],
    ])
  } finally {
    // Ends esbuild's process, which would keep this one alive. All builds share it, so only one may
    // run at a time.
    await stop()
  }
}
