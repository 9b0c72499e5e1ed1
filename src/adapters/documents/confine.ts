import { realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What the process may take. */
export interface Confines {
  /** Of JavaScript's own memory, in MB. */
  heapMb: number
  /** Of all memory, in MB; held where the system can limit it. Node itself lays claim to some 600 of them. */
  dataMb: number
}

/** Of the processor, over the life of the process, in seconds: it ends even when nobody is left to end it. */
const cpuSeconds = 300

/** The packages that read documents. */
const packages = [
  'linkedom',
  '@mozilla/readability',
  'pdfjs-dist',
  'officeparser',
  '@e965/xlsx',
  'postal-mime',
  'fflate',
  'jschardet',
]

/**
 * The command that runs a program of ours on Node with as little as it needs: it reads our sources and the packages and no
 * other file, writes none, starts no process, makes no code from strings, and has limits of memory and processor time. Where
 * the system allows it, it has no network either.
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
  // Nothing of Clew's environment is its business (S7).
  const env = { PATH: '/usr/bin:/bin' }
  if (process.platform === 'win32') return { command: process.execPath, args: node, env }
  const shell = [
    'ulimit -c 0',
    `ulimit -t ${cpuSeconds}`,
    `ulimit -d ${dataMb * 1024}`,
    'unshare -rn true && exec unshare -rn "$0" "$@"',
    'exec "$0" "$@"',
  ]
  // What a system does not have or allow is left out; its complaints are of no use to anyone.
  return { command: '/bin/sh', args: ['-c', shell.join('; '), process.execPath, ...node], env }
}

/** Our sources, the `package.json` that says what they are, and every folder that the packages are found in. */
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
