/** Wordings that stand in one text, by what they are. */
export const wordingsOf = <K extends string>(table: Readonly<Record<K, string>>) =>
  Object.entries<string>(table).flatMap(([kind, text]) =>
    text.split('|').map((line) => [line.trim(), kind] as const),
  )

/** Counts of wordings in English and in Chinese. */
export function countsOf(rows: readonly (readonly [line: string, ...unknown[]])[]) {
  const chinese = rows.filter(([line]) => /\p{Script=Han}/u.test(line)).length
  return { chinese, english: rows.length - chinese }
}
