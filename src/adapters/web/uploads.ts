import { z } from 'zod'
import type { FileRef } from '../../agent/domain/file-ref.ts'
import { uploadNotes, uploadUrl } from '../../agent/domain/upload.ts'
import type { Notes } from '../../agent/ports/notes.ts'
import { limits } from './limits.ts'

/** `owner`: whose page it came from, as their channel there. */
const About = z.object({
  version: z.literal(1),
  owner: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
})

/** Keeps a file until a message names it, and for as long as its task may need it (C242). The same again is the same file. */
export async function keepUpload(
  notes: Notes,
  workspace: string,
  { id, bytes, ...named }: { id: string; owner: string; name: string; type: string; bytes: Buffer },
): Promise<void> {
  const names = uploadNotes(id)
  // What it is called comes last: once that is there, all of it is.
  await notes.put(workspace, names.bytes, bytes.toString('base64'), limits.uploadKeptMs)
  const about = { version: 1, ...named, size: bytes.length } satisfies z.infer<typeof About>
  await notes.put(workspace, names.about, JSON.stringify(about), limits.uploadKeptMs)
}

/** Null where it is kept no more, or is not of this owner's page; without one whosever it is. */
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

/** Null where it is kept no more. */
export async function readUpload(notes: Notes, workspace: string, id: string): Promise<Buffer | null> {
  const bytes = await notes.get(workspace, uploadNotes(id).bytes)
  return bytes === null ? null : Buffer.from(bytes, 'base64')
}
