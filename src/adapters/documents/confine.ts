import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Memory limits of the process. */
export interface Confines {
  /** Largest JavaScript heap, in MB. */
  heapMb: number
  /**
   * Largest total memory, in MB, where the system can limit it. Node itself reserves about 600 MB.
   */
  dataMb: number
}

/** Processor time over the life of the process, in seconds. It applies even if Clew is gone. */
const cpuSeconds = 300

/** Packages that read documents. */
const packages = [
  'linkedom',
  '@mozilla/readability',
  'pdfjs-dist',
  'officeparser',
  '@e965/xlsx',
  'postal-mime',
  'fflate',
  'jschardet',
  'papaparse',
  'd3-array',
  'internmap',
  'd3-scale',
  'd3-shape',
  '@resvg/resvg-wasm',
  'zod',
]

/**
 * Returns the command that runs a program of ours in a sandboxed Node. It can read only our sources
 * and the packages. It cannot write files, start processes or generate code from strings, and its
 * memory and processor time are limited. Where the system allows it, it has no network either.
 *
 * @param program path of a file in this folder.
 */
export function confined(program: string, { heapMb, dataMb }: Confines) {
  const node = [
    '--permission',
    ...readableFolders().map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${heapMb}`,
    '--disallow-code-generation-from-strings',
    program,
  ]
  // The child must not see Clew's environment (S7).
  const env = { PATH: '/usr/bin:/bin' }
  if (process.platform === 'win32') return { command: process.execPath, args: node, env }
  const shell = [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -d ${dataMb * 1024}`,
    'unshare -rn true && exec unshare -rn "$0" "$@"',
    'exec "$0" "$@"',
  ]
  // A limit that the system lacks or forbids is skipped, and its error message is dropped.
  return { command: '/bin/sh', args: ['-c', shell.join('; '), process.execPath, ...node], env }
}

/** Returns our sources, their `package.json`, and every folder that holds one of the packages. */
function readableFolders(): string[] {
  const ours = [
    fileURLToPath(new URL('../../', import.meta.url)),
    findPackageJSON('.', import.meta.url),
  ]
  const theirs = packages
    .map((name) => findPackageJSON(name, import.meta.url))
    .flatMap((path) => (path === undefined ? [] : [path, realpathSync(path)]))
    .map((path) => path.replace(/([\\/]node_modules[\\/]).*/s, '$1'))
  return [...new Set([...ours, ...theirs].filter((path) => path !== undefined))]
}
