import { patternOf } from './names.ts'

/*
 * Words beside a time that could belong to it. They are not what is to be done: a time that they adjoin is not understood (C312).
 */

const after = patternOf(
  String.raw`(?:(?<=\b(?:at|by|about|around) \d{1,2}) [0-5]\d\b|[\s,;(&/-]{0,4}(?:BESIDE))[\w:.'’-]{0,20}(?: [\w:.'’-]{1,20}){0,2}`,
  'y',
)

/** A zone that is none known here. */
const foreignZone = /^[\s,(]*(?:[A-Z][a-z]+ ){1,2}[Tt]ime\b/

/**
 * Returns how many characters behind `end` could belong to the time that ends there; 0: none. A
 * colon ends every time.
 */
export function adjoins(plain: string, end: number, typed: string): number {
  after.lastIndex = end
  return (after.exec(plain) ?? foreignZone.exec(typed))?.[0].length ?? 0
}

/** Words before a time that could belong to it. */
export const before =
  /(?:\b(?:and|or|not|but|except|excluding|unless|until|till|before|after|from|between|to|than|past|half|quarter|twice|thrice|every|each|other|next|last)|[前半和到至除])[\s,]*$/i
