/** Limits on files that people attach on Clew's own page; the other platforms have their own. */
export const uploadLimits = { files: 10, bytes: 5 * 1024 * 1024, nameCharacters: 200 } as const

/** The name under which the page sends a file, which no one can guess. */
export const uploadId = /^[\da-f]{32}$/
export const uploadUrl = (id: string): string => `upload:${id}`

/** Null for what another platform has. */
export function uploadIn(url: string): string | null {
  const [, id] = /^upload:([\da-f]{32})$/.exec(url) ?? []
  return id ?? null
}

/** Keys under which an upload is kept: its description, and its bytes. */
export const uploadNotes = (id: string) => ({ about: `upload:${id}`, bytes: `upload:${id}:bytes` })
