import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { present } from '../../agent/domain/present.ts'
import { closedBy, type Profile, type ProfileIn } from '../../agent/domain/profile.ts'
import type { Clock } from '../../agent/ports/clock.ts'
import type { Log } from '../../agent/ports/log.ts'
import { type Known, readProfile } from './read-profile.ts'

const lookEveryMs = 2_000
const profilesMost = 500
const bytesMost = 64_000

export interface Profiles {
  in: ProfileIn
  /** Faults of the files as they are now, one sentence each, with the line. */
  problems(): string[]
  /** Looks at the files now. */
  look(): Promise<void>
  stop(): void
}

interface Kept {
  stamp: string
  profile: Profile
  /** It was read before it was known which tools there are. */
  isEarly: boolean
}

export interface ProfilesDeps {
  clock: Pick<Clock, 'every'>
  log: Log
  /** Models and tools that there are now; `early`: not yet. Left out: nothing is known of them. */
  known?: () => Known | 'early'
}

/**
 * Reads `channels/<id>.md` of `AGENT_HOME`, again when a file changes. A file with a fault changes
 * nothing: its last version without one stays, and without such a version the channel is closed
 * (C674). What was read stays while the folder cannot be read.
 */
export async function openProfiles(
  home: string,
  { clock, log, known: knownNow }: ProfilesDeps,
): Promise<Profiles> {
  const folder = join(home, 'channels')
  let known = new Map<string, Kept>()
  let problems: string[] = []
  let unread: string | null = null

  async function look() {
    const files = await filesIn(folder)
    unread = files === null ? `${folder} cannot be read` : null
    const read = files === null ? known : await readAll(files)
    const faults = [...read].flatMap(([id, { profile }]) => {
      const { fault, doubt } = profile
      return [fault ?? [], doubt === undefined ? [] : `${join(folder, `${id}.md`)} ${doubt}`].flat()
    })
    const now = present([unread, ...faults, ...misnamed(folder, files ?? [])])
    for (const problem of now)
      if (!problems.includes(problem)) log.warn({}, `AGENT_HOME: ${problem}`)
    known = read
    problems = now
  }

  async function readAll(files: readonly string[]) {
    const read = new Map<string, Kept>()
    const now = knownNow?.()
    const isEarly = now === 'early'
    const there = now === 'early' ? undefined : now
    for (const id of idsOf(files)) {
      const path = join(folder, `${id}.md`)
      const before = known.get(id)
      const stamp = `${await stampOf(path)} ${JSON.stringify(there)}`
      if (before !== undefined && before.stamp === stamp) read.set(id, before)
      else {
        const found = read.size < profilesMost ? await readFrom(path, there) : tooMany
        // What was read too early to be judged is no last version.
        const last = before?.isEarly ? undefined : before?.profile
        read.set(id, { stamp, profile: understood(path, found, last), isEarly })
      }
    }
    return read
  }

  await look()
  const stop = clock.every(lookEveryMs, () =>
    look().catch((error) => log.warn({ err: error }, 'profiles of channels not read')),
  )
  return {
    in(channel) {
      const profile = known.get(channel)?.profile
      if (profile !== undefined) return profile
      return unread !== null && known.size === 0 ? closedBy(unread) : null
    },
    problems: () => problems,
    look,
    stop,
  }
}

const tooMany = `line 1: there are more than ${profilesMost} profiles`

/** A profile with a fault is the last one without, or the strictest there is. */
function understood(path: string, read: Profile | string, before?: Profile): Profile {
  if (typeof read !== 'string') return read
  const fault = `${path}: ${read}`
  return before === undefined || before.closed ? closedBy(fault) : { ...before, fault }
}

/** Lists the folder; none without it, null if it is there or was, and cannot be read. */
async function filesIn(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && (await isFolder(join(folder, '..'))) ? [] : null
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const named = /^([A-Za-z0-9_-]{1,64})\.md$/
const idsOf = (files: readonly string[]) => files.flatMap((file) => named.exec(file)?.[1] ?? [])
const misnamed = (folder: string, files: readonly string[]) =>
  files
    .filter((file) => file.endsWith('.md') && !named.test(file))
    .map((file) => `${join(folder, file)} is not named after the id of a channel`)

const stampOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs}-${size}-${ino}`,
    () => 'unread',
  )

async function readFrom(path: string, known: Known | undefined): Promise<Profile | string> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > bytesMost) return `line 1: the file is longer than ${bytesMost} bytes`
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? 'line 1: the file cannot be read' : readProfile(text, known)
}
