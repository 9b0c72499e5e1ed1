/**
 * A process of its own that runs the embedded store, so that a test can kill it. Prints one line:
 * the url, or the error's code.
 */

import { EmbeddedStoreError, startEmbeddedStore } from '../index.ts'
import { census, names } from './acme.ts'

const [dataDir = '', compactAtBytes = '', strict = ''] = process.argv.slice(2)
try {
  const store = await startEmbeddedStore({
    dataDir,
    names,
    census,
    strict: strict === 'strict',
    log: (line) => console.error(line),
    ...(compactAtBytes && { compactAtBytes: Number(compactAtBytes) }),
  })
  console.log(store.url)
} catch (thrown) {
  if (!(thrown instanceof EmbeddedStoreError)) throw thrown
  console.log(thrown.code)
}
