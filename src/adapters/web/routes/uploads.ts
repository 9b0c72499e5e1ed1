import type { Context } from 'hono'
import { z } from 'zod'
import { cleanText } from '../../../agent/domain/clean-text.ts'
import { fileKindOf, isImageType } from '../../../agent/domain/document.ts'
import { uploadId, uploadLimits } from '../../../agent/domain/upload.ts'
import type { SayBody } from '../bodies.ts'
import type { Web } from '../context.ts'
import { limits } from '../limits.ts'
import { homeOf, requireServed, sees, workspaceIn } from '../permissions.ts'
import { refuse } from '../problems.ts'
import { forMembers } from '../route.ts'
import { findUpload, keepUpload, readUpload } from '../uploads.ts'

const { route } = forMembers

/**
 * C242: uploads files ahead of their message, each under an id that its browser made and nobody
 * else knows.
 */
export const uploadRoutes = [
  route('put', '/api/uploads/:id', {
    summary: 'Keeps a file for a message that names it; the same again is the same file',
    description: `The body is the file, of at most ${uploadLimits.bytes / 1024 / 1024} MB, its \`Content-Type\` what it is; \`id\` is 32 hexadecimal digits that nobody can guess. It is kept for a day, and for 14 once a message names it; at most ${limits.uploadsUnsent} of one person wait for theirs. Everything but bytes that are neither text, document nor picture is taken.`,
    query: ['name'],
    answer: z.object({ id: z.string(), name: z.string(), size: z.int() }),
    refusals: ['bad_request', 'file_too_large', 'unreadable_file', 'too_many_files'],
    async handle({ c, web }) {
      requireServed(web, c)
      const id = c.req.param('id')
      if (!uploadId.test(id)) refuse('bad_request', { field: 'id' })
      const name = Array.from(
        cleanText(c.req.query('name') ?? '')
          .replace(/^.*[\\/]/s, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      )
        .slice(0, uploadLimits.nameCharacters)
        .join('')
      if (name === '') refuse('bad_request', { field: 'name' })
      const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
      const bytes = Buffer.from(await c.req.arrayBuffer())
      if (!isImageType(type) && fileKindOf({ name, type }, bytes) === null)
        refuse('unreadable_file', { name })
      const { workspace, channel: owner } = homeOf(c)
      const given = { id, owner, name, type, bytes }
      const kept = await web.reach(() => keepUpload(web.store.notes, workspace, given))
      if (kept === 'too_many') return refuse('too_many_files', { limit: limits.uploadsUnsent })
      if (kept === 'not_theirs') return refuse('bad_request', { field: 'id' })
      return { id, name: kept.name, size: kept.size }
    },
  }),

  // Pictures are shown in their thread. The browser saves any other file, and never shows it as a
  // page of ours.
  route('get', '/api/uploads/:id', {
    summary: 'A file that was attached to a message, for 14 days',
    media: 'application/octet-stream',
    query: ['workspace'],
    answer: z.string(),
    async handle({ c, web }) {
      const id = c.req.param('id')
      const { notes } = web.store
      const workspace = await workspaceIn(web, c)
      const owner = sees(web, c) === undefined ? undefined : homeOf(c).channel
      const [file, bytes] = await web.reach(() =>
        Promise.all([
          findUpload(notes, workspace, { id, owner }),
          readUpload(notes, workspace, id),
        ]),
      )
      if (file === null || bytes === null) return refuse('not_found')
      const isImage = isImageType(file.mimetype)
      return c.body(new Uint8Array(bytes), 200, {
        'Content-Type': isImage ? file.mimetype : 'application/octet-stream',
        'Content-Disposition': `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      })
    },
  }),
]

/** Files that a message names, as they are stored. */
export async function filesOf(web: Web, c: Context, named: NonNullable<SayBody['files']>) {
  const { notes } = web.store
  const { workspace, channel: owner } = homeOf(c)
  const found = await web.reach(() =>
    Promise.all(named.map(({ id }) => findUpload(notes, workspace, { id, owner }))),
  )
  return found.map((file, at) => file ?? refuse('unknown_file', { name: named[at]?.name ?? '' }))
}
