import { z } from 'zod'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { uploadNotes, uploadUrl } from '../../agent/domain/upload.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { limits } from './limits.ts'

/**
 * Description of an uploaded file. `owner` is the uploader's own channel on the page; `place` its
 * slot among unsent files (S30).
 */
const About = z.object({
  version: z.literal(1),
  owner: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  place: z.int().optional(),
})
type NewUpload = { id: string; owner: string; name: string; type: string; bytes: Buffer }

/**
 * Stores a file for a day, within which a message may name it (C242). The same id again is the same
 * file, whatever its content.
 *
 * @returns `too_many` if this owner has as many unsent ones (S30); `not_theirs` if another owner
 * has this id.
 */
export async function keepUpload(
  notes: Notes,
  workspace: string,
  { id, owner, bytes, ...named }: NewUpload,
): Promise<FileRef | 'too_many' | 'not_theirs'> {
  const names = uploadNotes(id)
  if ((await notes.get(workspace, names.about)) !== null)
    return (await findUpload(notes, workspace, { id, owner })) ?? 'not_theirs'
  const place = await placeFor(notes, workspace, { id, owner })
  if (place === null) return 'too_many'
  // The description is written last: once it is there, so is the rest.
  await notes.put(workspace, names.bytes, bytes.toString('base64'), limits.uploadUnsentMs)
  const about = { version: 1, owner, ...named, size: bytes.length, place } satisfies z.infer<
    typeof About
  >
  await notes.put(workspace, names.about, JSON.stringify(about), limits.uploadUnsentMs)
  return { name: named.name, mimetype: named.type, size: bytes.length, url: uploadUrl(id) }
}

const placeNote = (owner: string, place: number) => `unsent:${owner}:${place}`

/** Claims a free slot among the owner's unsent files, safely under concurrent uploads. */
async function placeFor(
  notes: Notes,
  workspace: string,
  { id, owner }: Pick<NewUpload, 'id' | 'owner'>,
) {
  for (let place = 0; place < limits.uploadsUnsent; place++)
    if (await notes.claim(workspace, placeNote(owner, place), limits.uploadUnsentMs, id))
      return place
  return null
}

/** Keeps a file that a message names for as long as its task may need it, and frees its slot. */
export async function keepSent(notes: Notes, workspace: string, id: string): Promise<void> {
  const names = uploadNotes(id)
  const about = await notes.get(workspace, names.about, limits.uploadKeptMs)
  await notes.get(workspace, names.bytes, limits.uploadKeptMs)
  if (about === null) return
  const { owner, place } = About.parse(JSON.parse(about))
  if (place === undefined) return
  const note = placeNote(owner, place)
  // When it is sent again, another file may have its slot by now.
  if ((await notes.get(workspace, note)) === id) await notes.drop(workspace, note)
}

/** File by its id; null if it has expired, or is another owner's. Without `owner`, anyone's. */
export async function findUpload(
  notes: Notes,
  workspace: string,
  { id, owner }: { id: string; owner?: string | undefined },
): Promise<FileRef | null> {
  const about = await notes.get(workspace, uploadNotes(id).about)
  if (about === null) return null
  const { owner: whose, name, type, size } = About.parse(JSON.parse(about))
  if (owner !== undefined && owner !== whose) return null
  return { name, mimetype: type, size, url: uploadUrl(id) }
}

/** Content of a file; null if it has expired. */
export async function readUpload(
  notes: Notes,
  workspace: string,
  id: string,
): Promise<Buffer | null> {
  const bytes = await notes.get(workspace, uploadNotes(id).bytes)
  return bytes === null ? null : Buffer.from(bytes, 'base64')
}
