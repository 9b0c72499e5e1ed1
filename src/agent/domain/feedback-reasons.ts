/** Reasons for a 👎 that have a button (C730). */
export const feedbackReasons = ['wrong', 'incomplete', 'unasked'] as const

/** Longest words that are kept of an opinion, in characters. */
export const opinionMost = 2_000

/** Longest words of what would have been right, in characters. */
export const rightMost = 4_000
