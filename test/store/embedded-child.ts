/** A process of its own that runs the embedded store, so that a test can kill it. Prints one line: the url, or the error's code. */

import { EmbeddedStoreError } from '../../src/store/embedded/errors.ts'
import { startEmbeddedStore } from '../../src/store/embedded.ts'

const [dataDir = '', compactAtBytes = '', strict = ''] = process.argv.slice(2)
try {
  const store = await startEmbeddedStore({
    dataDir,
    strict: strict === 'strict',
    log: (line) => console.error(line),
    ...(compactAtBytes && { compactAtBytes: Number(compactAtBytes) }),
  })
  console.log(store.url)
} catch (thrown) {
  if (!(thrown instanceof EmbeddedStoreError)) throw thrown
  console.log(thrown.code)
}
