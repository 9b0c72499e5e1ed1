import { z } from 'zod'

/** An image that a person attached to what they ask of a task; `id` is where it is kept (C160). */
export const AttachedImage = z.object({ id: z.string(), name: z.string(), type: z.string() })
export type AttachedImage = z.infer<typeof AttachedImage>

/** The name of the note that holds it. */
export const imageNote = (id: string): string => `image:${id}`

/** The same, as a model gets it. */
export interface ShownImage {
  name: string
  /** A media type, for example `image/png`. */
  type: string
  base64: string
}

/** Larger ones are only described, and of more the newest are shown. */
export const imageLimits = { bytes: 2 * 1024 * 1024, ofTask: 4 } as const

/** Tokens that providers count for the largest image that they accept unscaled. */
export const imageTokens = 2_500
