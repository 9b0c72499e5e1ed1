import { z } from 'zod'

/** A file that a tool made for the people of a thread. */
export const MadeFile = z.object({
  name: z.string(),
  /** A media type, for example `text/csv`. */
  type: z.string(),
  base64: z.string(),
  /** Of a picture its text, for those who do not see it. */
  alt: z.string().optional(),
})
export type MadeFile = z.infer<typeof MadeFile>

/** Larger ones, and more of one call, are named and not handed over. In bytes. */
export const madeFileLimits = { bytes: 1024 * 1024, files: 5 } as const

export const sizeOf = ({ base64 }: MadeFile): number => Math.floor((base64.length * 3) / 4)

/** Returns the first `characters` of a text file; `null` if the file is not text. */
export function beginningOf({ type, base64 }: MadeFile, characters: number): string | null {
  if (!/^(?:text\/|application\/(?:json|xml|yaml|toml)\b)/.test(type)) return null
  const text = Buffer.from(base64, 'base64').toString('utf8').toWellFormed()
  return text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`
}
