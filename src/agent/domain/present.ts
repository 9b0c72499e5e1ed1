/**
 * Items that are there, in order: `present([title, isCut && words.cut])`. Drops null, undefined and
 * false.
 */
export const present = <T>(items: readonly (T | null | undefined | false)[]): T[] =>
  items.flatMap((item) => (item == null || item === false ? [] : [item]))
