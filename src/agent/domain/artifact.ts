import { z } from 'zod'

/** A file of text that a task made, kept with its conversation and seen nowhere else (R90). */
export const Artifact = z.object({
  version: z.literal(1),
  /** Single line without slashes; unique within the conversation. */
  name: z.string(),
  text: z.string(),
  at: z.number(),
})
export type Artifact = z.infer<typeof Artifact>

/** In characters of one file, and files of one conversation. */
export const artifactLimits = { text: 200_000, files: 50 } as const

/** A plain name, never a path. */
export const isArtifactName = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u.test(name)

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
}

/** Its media type, by the ending of its name. */
export const artifactType = (name: string): string =>
  types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/plain'
