/**
 * Words of a message below the lines that it quotes (“> Which city?”); the whole text if it only
 * quotes.
 */
export function withoutQuotes(text: string): string {
  const own = text.split('\n').filter((line) => !line.trimStart().startsWith('>'))
  return own.join('\n').trim() || text
}
