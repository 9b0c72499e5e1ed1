import { z } from 'zod'

/** Something attached to a message, as its platform names it. */
export const FileRef = z.object({
  name: z.string(),
  mimetype: z.string(),
  /** In bytes, as the platform says. */
  size: z.number(),
  /** Where the platform has it; only its adapter can fetch it. */
  url: z.string(),
  /** The platform's own name of it, where it has to be asked for the address. */
  id: z.string().optional(),
  /** Why the platform gives it to nobody any more: it was deleted, or its plan hides it. */
  gone: z.enum(['deleted', 'hidden']).optional(),
  /** Length of a voice message, in seconds. */
  seconds: z.number().optional(),
})
export type FileRef = z.infer<typeof FileRef>
