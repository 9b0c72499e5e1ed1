/** Words that a model may answer with and that break what takes texts for granted; each has something to read in it. */
export const nasty: readonly [kind: string, text: string][] = [
  ['half a character', 'Booked \ud800 it'],
  ['the other half', 'Booked \udc00 it'],
  ['halves in the wrong order', 'Booked \udc00\ud800 it'],
  ['NUL', 'Booked \0 it'],
  ['other controls', 'Booked \u0001\u0008\u001b[31m\u007f\u0085\u009b it'],
  ['directions that nobody ends', 'Booked \u202e\u2067\u202b it'],
  ['ends of directions that nobody began', 'Booked \u2069\u202c it'],
  ['40,000 blanks', `Booked ${' '.repeat(40_000)} it`],
  ['40,000 line ends', `Booked ${'\n'.repeat(40_000)} it`],
  ['runs of dots', `Booked ${'.'.repeat(40_000)} it`],
  ['runs of full stops', `Booked ${'。'.repeat(40_000)} it`],
  ['quotes in quotes', `Booked it\n\n${'>'.repeat(4_000)} it`],
  ['lists in lists', `Booked it\n\n${'1. '.repeat(2_000)} it`],
  ['a fence of 5,000', `Booked it ${'`'.repeat(5_000)}`],
]

/** A JSON object in an object in an object. */
export const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
