import fc from 'fast-check'

/** As long as a message may be. */
const longest = 40_000

/** What a nasty text repeats without end: blanks, marks, beginnings without ends, halves of pairs. */
export const units: readonly string[] = [
  ...[' ', '\n', '\t', '\r', '\u3000', '\u2028', '\u200b', '\u0000', ' \n', 'a \n'],
  ...['.', '。', '!', '！', '?', ',', '，', ':', '：', ';', '-', '—', '…', '/', '\\', '"', "'", '“', '「', "'a", '»'],
  ...[
    '>',
    '> ',
    '1. ',
    '- ',
    '- 1. ',
    '> - ',
    '# ',
    '#',
    '# a\n',
    '- a\n',
    '> a\n',
    '1. a\n',
    'a\n- ',
    '===\n',
    '---\n',
  ],
  ...['[', ']', '(', '](', '[a](', '[a](b', '[[a]', '[a]: ', '[a]: b\n', '![', '![a](b)', '[a](b "', '{', '}', '()'],
  ...['*', '**', '_', '__', '~~', '*a', 'a*', '_a', 'a_', 'a**b', '*a **b ', '**_', '*_', '***a', '***', '~a'],
  ...['`', '``', '```', '```\n', '```a\n', '~~~\n', '`a``b', '` ', '``` '],
  ...['<', '<a', '<@', '<@U1|', '<#C1|', '<!a|', '<!date^', '<http://a', '<http:a|', '<mailto:', '<div>', '</', '<!--'],
  ...['@', '@clew', '@a ', 'a@', 'a@b.', '&', '&amp', '&#', '$', '%', '^', '=', '+', '|', '|a', '|a|\n|-|\n', '\\|'],
  ...[
    'http://',
    'https://a.',
    'www.',
    'data:',
    '://',
    'a.',
    '1',
    '1.',
    '-1',
    '1:',
    '9:00 ',
    '2026-01-01',
    '#1 ',
    '--a ',
  ],
  ...[
    'x',
    'x ',
    'ab, ',
    '中',
    '明天',
    '每天',
    '[Step] a\n',
    '[Step]\t',
    '[done]',
    '[x] ',
    '---\nstatus: a\n',
    '</think>',
  ],
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    '🇵🇹',
    '\ud800',
    '\udc00',
    'e\u0301',
    '\u0301',
    '\u202e',
    'ﷺ',
    'İ',
    '{"a":',
    '[1,',
    'a: ',
    '\n  a: ',
  ],
]

/** The same over and over: 40,000 UTF-16 units of it, or `length`. */
export const filled = (unit: string, length = longest): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** A text of nothing but one of them, alone and with something before and behind it. */
export const repeated: readonly string[] = units.flatMap((unit) => [
  filled(unit),
  `stop${filled(unit, longest / 2)}\nx${filled(unit, longest / 2 - 10)}x!`,
])

const columns = (cell: string, count: number): string => `${cell.repeat(count)}|\n`

/** Texts that are deep, wide or ambiguous rather than long. */
export const built: readonly string[] = [
  '1. '.repeat(2_000),
  '>'.repeat(4_000),
  `x${'\n'.repeat(39_000)}x`,
  '['.repeat(20_000) + ']'.repeat(20_000),
  '[a'.repeat(8_000) + '](b)'.repeat(4_000),
  '*_'.repeat(9_000) + '_*'.repeat(9_000),
  `${columns('|a', 5_000)}${columns('|-', 5_000)}${'|\n'.repeat(5_000)}`,
  `|a|b|\n|-|-|\n|${'x'.repeat(20_000)}|\n${'|a|\n'.repeat(4_000)}`,
  `${columns('|a', 70)}${columns('|-', 70)}${'|\n'.repeat(70)}\n`.repeat(90),
  Array.from({ length: 190 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  Array.from({ length: 270 }, (_, depth) => `${'>'.repeat(depth)} a\nb`).join('\n'),
  Array.from({ length: 280 }, (_, length) => '`'.repeat(length + 1)).join(' '),
  `a${' '.repeat(39_000)}b`,
]

/** Any of them in any mixture; `filled` makes a whole text of it. */
export const mixtures: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...units), fc.string({ maxLength: 5 })), { minLength: 2, maxLength: 12 })
  .map((parts) => parts.join('') || ' ')
