import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '../../scripts/source.ts'

/** A regular expression of the source, and where it stands: `src/a.ts:12`. */
export interface Pattern {
  where: string
  source: string
  flags: string
}

export type Source = { readonly path: string; readonly source: string }

const root = join(import.meta.dirname, '../..')

/** The files of `src` and of our packages. */
export function sources(): Source[] {
  return ['src', 'packages/embedded-valkey/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }))
}

const lineOf = (source: string, offset: number): number =>
  source.slice(0, offset).split('\n').length

/** Every pattern between slashes. */
export const literalsOf = ({ path, source }: Source): Pattern[] =>
  scan(source).patterns.map(({ source: pattern, flags, start }) => ({
    where: `${path}:${lineOf(source, start)}`,
    source: pattern,
    flags,
  }))

/** How often a file builds a pattern from parts. */
const builtIn = ({ source }: Source): number =>
  scan(source).code.match(/\bRegExp\s*\(/g)?.length ?? 0

/**
 * What files build while they are loaded, and complaints about those that build one later: that one cannot be known before
 * somebody's text makes it, so it cannot be checked.
 *
 * @param load imports a file, so that what it does at its top level is done.
 */
export async function builtPatterns(
  files: readonly Source[],
  load: (path: string) => Promise<unknown>,
): Promise<{ patterns: Pattern[]; complaints: string[] }> {
  const seen: { pattern: Pattern; stack: string }[] = []
  const original = globalThis.RegExp
  const watch = (source: unknown, flags: unknown, made: RegExp): RegExp => {
    const pattern = { where: '', source: made.source, flags: made.flags }
    if (source !== undefined || flags !== undefined)
      seen.push({ pattern, stack: new Error().stack ?? '' })
    return made
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) => watch(source, flags, new target(source, flags)),
    apply: (target, _, [source, flags]) => watch(source, flags, target(source, flags)),
  })
  try {
    for (const file of files) if (builtIn(file) > 0) await load(join(root, file.path))
  } finally {
    globalThis.RegExp = original
  }
  const complaints: string[] = []
  const patterns = files.flatMap((file) => {
    const own = seen.flatMap(({ pattern, stack }) => {
      const place = new RegExp(`${file.path.replaceAll('.', '\\.')}[^\\s:]*:(\\d+:\\d+)`).exec(
        stack,
      )
      // What a library builds while it is loaded is not ours.
      return place === null || stack.slice(0, place.index).includes('/node_modules/')
        ? []
        : [{ ...pattern, where: `${file.path}:${place[1]}` }]
    })
    const sites = new Set(own.map(({ where }) => where)).size
    if (sites < builtIn(file))
      complaints.push(`${file.path} builds patterns later than when it is loaded`)
    return own
  })
  return { patterns, complaints }
}

type Check = typeof import('recheck')['checkSync']

/**
 * Steps decide and not the clock, so that a busy machine finds the same: an attack may take 300 steps a character. After
 * two minutes a pattern counts as undecided.
 */
const limits = {
  timeout: 120_000,
  attackLimit: 90_000_000,
  maxAttackStringSize: 300_000,
  attackTimeout: null,
  incubationTimeout: null,
} as const

/** Says of one pattern why it may not stay, or null. What cannot be decided in time may not stay either. */
export function judge({ where, source, flags }: Pattern, check: Check): string | null {
  // What repeats nothing without end looks at a bounded part of the text from each place.
  if (!/[*+]|\{\d+,\}/.test(source)) return null
  const found = check(source, flags, limits)
  switch (found.status) {
    case 'safe':
      return null
    case 'vulnerable':
      return `${where} /${source}/${flags} takes ${found.complexity.summary} time, for example on ${found.attack.pattern}`
    case 'unknown':
      return `${where} /${source}/${flags} cannot be decided: ${found.error.kind}`
  }
}
