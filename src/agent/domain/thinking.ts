/** Names of the marks in which models think aloud: `<think>`, `◁think▷` and their like. */
const names =
  '(?:seed:|ant|inner_|internal_)?(?:think(?:ing)?|thoughts?|monologue)|scratchpad|reason(?:ing)?|reflection|analysis'
const opening = new RegExp(
  `^(?:[<◁][|｜]?(?:${names})[|｜]?[>▷]|\\[(?:think|reason)(?:ing)?\\])`,
  'i',
)
const closing = new RegExp(`[<◁[][|｜]?/[|｜]?(?:${names})[|｜]?[>▷\\]]`, 'gi')
const anyOpening = new RegExp(`[<◁](?:${names})[>▷]`, 'i')
/** A closing mark, and not one that is written about: in quotes, or in the middle of a sentence. */
const orphan = new RegExp(
  `(?:(?:^|[\\n.!?。！？…])[ \\t]*|[^\\s\`'"“「(])[<◁]/(?:${names})[>▷](?![.,;:!?)\`'"”」、。，])`,
  'i',
)
const ownLine = new RegExp(`^[ \\t]*<(?:${names})>`, 'im')
/** Channels of OpenAI's open models (harmony), with their marks or without them, Gemma's, and blocks that frontends make. */
const channels: readonly RegExp[] = [
  /^(?:<\|start\|>assistant)?<\|channel\|>[\s\S]*<\|channel\|>final[^<]{0,40}<\|message\|>/,
  /^<\|channel\|>final[^<]{0,40}<\|message\|>/,
  /^(?:<\|start\|>assistant)?<\|channel\|>analysis[\s\S]*/,
  /^analysis[\s\S]*?assistantfinal/,
  /^<\|channel>thought[\s\S]*?<channel\|>/,
  /^<unused94>[\s\S]*?<unused95>/,
  /^```think(?:ing)?\n[\s\S]*?\n```/,
  /^<details type="reasoning"[\s\S]*?<\/details>/,
]
const ends = /<\|(?:end|return|im_end|eot_id)\|>$/

/**
 * A model's words without what it thought aloud in front of them (R42, F3); empty when they are nothing but that. Words that write
 * about such marks stay whole.
 *
 * @param isPlain false: one text of a JSON value, whose thought has both its marks. In a whole answer a template may have
 * swallowed the opening mark, and the end may be missing.
 */
export function withoutThinking(text: string, isPlain = true): string {
  const trimmed = text.trim()
  let rest = trimmed
  for (;;) {
    const shorter = withoutFirst(rest, isPlain).trim()
    if (shorter === rest) break
    rest = shorter
  }
  if (isPlain) return withoutLate(rest)
  return rest === trimmed ? text : rest
}

function withoutFirst(text: string, isPlain: boolean): string {
  const channel = channels.find((one) => one.test(text))
  if (channel !== undefined) return text.replace(channel, '').replace(ends, '')
  const [mark] = opening.exec(text) ?? []
  if (mark !== undefined) {
    const end = endFrom(text, mark.length)
    if (end !== null) return text.slice(end)
    return isPlain && /think/i.test(mark) ? '' : text
  }
  const found = isPlain && !/^(?:\{|```)/.test(text) ? orphan.exec(text) : null
  if (found === null) return text
  const before = text.slice(0, found.index)
  const isCode = before.split('```').length % 2 === 0
  return isCode || anyOpening.test(before) ? text : text.slice(found.index + found[0].length)
}

/** Without thoughts that stand in lines of their own behind words, outside of code. */
const withoutLate = (text: string): string =>
  ownLine.test(text)
    ? text
        .split('```')
        .map((part, at) => (at % 2 === 0 ? withoutBlocks(part) : part))
        .join('```')
        .trim()
    : text

function withoutBlocks(text: string, most = 50): string {
  const found = most === 0 ? null : ownLine.exec(text)
  if (found === null) return text
  const end = endFrom(text, found.index + found[0].length)
  return end === null ? text : text.slice(0, found.index) + withoutBlocks(text.slice(end), most - 1)
}

/** The place behind the next closing mark. */
function endFrom(text: string, from: number): number | null {
  closing.lastIndex = from
  return closing.test(text) ? closing.lastIndex : null
}
