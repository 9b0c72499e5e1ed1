/** Two texts that a person would call the same plan item: case, blanks and punctuation apart. */
export function sameItem(a: string, b: string): boolean {
  return normalised(a) === normalised(b)
}

export function normalised(text: string): string {
  return text.toLowerCase().replace(/[\s\p{P}]+/gu, '')
}
