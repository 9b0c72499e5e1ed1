import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Clock } from '../agent/ports/clock.ts'
import type { Log } from '../agent/ports/log.ts'
import type { Store } from '../agent/ports/store.ts'
import type { Item } from '../agent/ports/wakeups.ts'
import { createRecorder, type Recorder } from '../agent/recording/recorder.ts'
import type { Config } from '../config.ts'

const hourMs = 60 * 60 * 1000
const ending = '.jsonl'

/** Recordings of this process: a folder a workspace, a file a thread and a run. */
export interface Recordings {
  recorder: Recorder
  /**
   * The store, under which what is erased of threads and people leaves the recordings as well
   * (S70).
   */
  store: Store
  stop(): void
}

/** Opens the folder of `RECORD`; null where nothing is recorded (S69). */
export function openRecordings(
  { RECORD: folder, AGENT_PROMPT_LAYOUT: layout }: Pick<Config, 'RECORD' | 'AGENT_PROMPT_LAYOUT'>,
  store: Store,
  { clock, log }: { clock: Clock; log: Log },
): Recordings | null {
  if (folder === undefined) return null
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  log.warn({ folder }, 'threads and runs are recorded, with everything that they hold')
  const chore = async () => {
    await forget(folder, (item) => isGone(store, item)).catch((error: unknown) =>
      log.warn({ err: error }, 'recordings of threads that are gone could not be removed'),
    )
  }
  void chore()
  return {
    recorder: createRecorder({
      layout,
      log,
      randomId: clock.randomId,
      open: (item) => appending(pathOf(folder, item)),
    }),
    store: {
      ...store,
      conversations: {
        ...store.conversations,
        async remove(...which) {
          const answer = await store.conversations.remove(...which)
          if (answer === 'removed') await chore()
          return answer
        },
      },
      privacy: {
        ...store.privacy,
        async erase(workspace, person) {
          const kept = await store.privacy.erase(workspace, person)
          const name = JSON.stringify(person)
          await forget(folder, async (item) => {
            return (
              item.workspace === workspace && (await readFile(item.path, 'utf8')).includes(name)
            )
          })
          return kept
        },
      },
    },
    stop: clock.every(hourMs, chore),
  }
}

const pathOf = (folder: string, { workspace, id }: Item) =>
  join(folder, encodeURIComponent(workspace), encodeURIComponent(id) + ending)

/**
 * Appends lines; each is with the system when `write` returns, so that a kill leaves all of them.
 */
function appending(path: string): ReturnType<Parameters<typeof createRecorder>[0]['open']> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a', 0o600)
  // Behind a line that a full disk may have cut off.
  writeSync(file, '\n')
  return { write: (line) => void writeSync(file, `${line}\n`), close: () => closeSync(file) }
}

interface Recorded {
  workspace: string
  id: string
  path: string
}

/** Removes the recordings that `isMeant` answers true for. */
async function forget(folder: string, isMeant: (recorded: Recorded) => Promise<boolean>) {
  for (const path of await recordingsIn(folder)) {
    const workspace = decodeURIComponent(basename(dirname(path)))
    const id = decodeURIComponent(basename(path, ending))
    if (await isMeant({ workspace, id, path })) await rm(path, { force: true })
  }
}

/** True if the id is no run's and no thread's; one that cannot be read is still there. */
async function isGone({ runs, conversations }: Store, { workspace, id }: Recorded) {
  const states = [runs.state(workspace, id), conversations.state(workspace, id, 0)]
  const found = await Promise.all(states.map((state) => state.catch(() => undefined)))
  return found.every((state) => state === null)
}

/** Paths of the recordings in a folder and the folders in it. */
export async function recordingsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name))
}
