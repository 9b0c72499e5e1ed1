/** Names of the program that runs the store and of its settings, as people know them. */
export interface Names {
  program: string
  /** Folder of the data. */
  dataDir: string
  /** Assignment with which people accept that data is missing, such as `ACCEPT_LOSS=1`. */
  acceptLoss: string
  /** Address of a server to use instead. */
  otherServer: string
}

/** Rows that people would miss. A start compares their counts with the last record. */
export interface Census {
  /** Read-only Lua without keys that returns the counts as a text, with a blank between two. */
  script: string
  /** Nouns of the counts, as the record has them. */
  nouns: readonly string[]
  /** The same nouns, as people know them. */
  words: readonly string[]
}

/** Fills the names into a message, which has them as `{program}`. */
export const named = (message: string, names: Names): string =>
  message.replace(
    /\{(program|dataDir|acceptLoss|otherServer)\}/g,
    (_, name: keyof Names) => names[name],
  )

/** Counts in words: `40 conversations and 3 tasks`. */
export const inWords = (counts: readonly number[], { words }: Census): string =>
  words.map((word, index) => `${counts[index] ?? 0} ${word}`).join(' and ')
