import { fileKindOf, isImageType } from '../../../agent/domain/document.ts'
import { headBytes } from '../../../agent/domain/text-bytes.ts'
import { uploadLimits } from '../../../agent/domain/upload.ts'
import type { Answer, Api } from './api.ts'
import { newId } from './browser-storage.ts'
import type { Words } from './language.ts'

/** A file attached to a message; its bytes are kept under its id. */
export interface Attached {
  id: string
  name: string
}

/*
 * Attached files, kept in this browser until the server has them (C242). Without storage they last
 * as long as the tab.
 */

const memory = new Map<string, File>()
let opened: Promise<IDBDatabase> | undefined

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('clew', 1)
  request.onupgradeneeded = () => request.result.createObjectStore('files')
  return done(request)
}

async function inStore<T>(
  mode: IDBTransactionMode,
  use: (files: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    opened ??= open()
    return await done(use((await opened).transaction('files', mode).objectStore('files')))
  } catch {
    return undefined
  }
}

/**
 * Uploads a file. One that this browser no longer keeps may have arrived before, so it counts as
 * sent.
 */
export async function sendAhead(api: Api, id: string): Promise<Answer<unknown>> {
  const file =
    memory.get(id) ?? (await inStore<File | undefined>('readonly', (files) => files.get(id)))
  return file === undefined ? { kind: 'ok', value: null } : await api.upload(id, file)
}

export function forgetFiles(files: readonly Attached[]): void {
  for (const { id } of files) {
    memory.delete(id)
    void inStore('readwrite', (store) => store.delete(id))
  }
}

/**
 * Accepts files beside those that are there already. Returns the accepted ones, and why the first
 * of the others is refused.
 */
export async function attach(files: readonly File[], there: number, words: Words) {
  const taken: Attached[] = []
  let problem: string | null = null
  for (const file of files) {
    const refusal = await whyNot(file, there + taken.length, words)
    problem ??= refusal
    if (refusal !== null) continue
    const id = newId()
    memory.set(id, file)
    void inStore('readwrite', (store) => store.put(file, id))
    taken.push({ id, name: Array.from(file.name).slice(0, uploadLimits.nameCharacters).join('') })
  }
  return { taken, problem }
}

async function whyNot(
  file: File,
  there: number,
  { errors, composer }: Words,
): Promise<string | null> {
  const { name, type, size } = file
  if (there >= uploadLimits.files) return composer.tooManyFiles(uploadLimits.files)
  if (size > uploadLimits.bytes) return `${name}: ${errors.file_too_large}`
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return isImageType(type) || fileKindOf(file, head) !== null ? null : errors.unreadable_file(name)
}
