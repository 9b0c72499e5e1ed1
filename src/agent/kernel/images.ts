import {
  type AttachedImage,
  imageLimits,
  imageNote,
  type ShownImage,
} from '../domain/attached-image.ts'
import { deriveId } from '../domain/id.ts'
import type { Notes } from '../ports/notes.ts'

/** A task that goes on later has the descriptions of its images. */
const keptMs = 14 * 24 * 60 * 60 * 1000

/**
 * An image of a message as a task names it; null where it is too large to be kept. The same image
 * of a message has one name.
 */
export function attachedImage(
  entryId: string,
  { name, type, bytes }: { name: string; type: string; bytes: Uint8Array },
): { ref: AttachedImage; base64: string } | null {
  if (bytes.length > imageLimits.bytes) return null
  const base64 = Buffer.from(bytes).toString('base64')
  return { ref: { id: deriveId('i', entryId, base64), name, type }, base64 }
}

/** Kept before the commit that names it, so that every reader of the commit finds it (rule 1). */
export const keepImage = (
  notes: Pick<Notes, 'put'>,
  workspace: string,
  id: string,
  base64: string,
) => notes.put(workspace, imageNote(id), base64, keptMs)

/** Null where it is no longer kept. */
export async function readImage(
  notes: Pick<Notes, 'get'>,
  workspace: string,
  { id, name, type }: AttachedImage,
): Promise<ShownImage | null> {
  const base64 = await notes.get(workspace, imageNote(id))
  return base64 === null ? null : { name, type, base64 }
}
