/** Names of the marks in which models think aloud: `<think>`, `◁think▷` and their like. */
const names =
  '(?:(?:seed|mm|ant|inner|internal|begin(?:_of)?|start(?:_of)?|chain_of)[:_]?)?(?:think(?:ing)?|thoughts?|monologue)(?:_(?:process|content|start|mode))?|cot|scratchpad|reason(?:ing)?(?:_content)?|reflection|analysis|思考'
/** Angles as they are, of other alphabets, and as HTML and JSON write them. */
const open = '(?:[<◁＜〈⟨【]|&(?:lt|#60|#x3c);|\\\\u003c)\\s?[|｜]?'
const shut = '[|｜]?\\s?(?:[>▷＞〉⟩】]|&(?:gt|#62|#x3e);|\\\\u003e)'
const opening = new RegExp(`^(?:${open}(?:${names})${shut}|\\[(?:think|reason)(?:ing)?\\])`, 'i')
const ending = `(?:/[|｜]?\\s?(?:${names})|end(?:_of)?_(?:${names})|think(?:ing)?_end)`
const closing = new RegExp(`(?:${open}|\\[)${ending}(?:${shut}|\\])`, 'gi')
const anyOpening = new RegExp(`${open}(?:${names})${shut}`, 'i')
/** A closing mark, and not one that is written about: in quotes, or in the middle of a sentence. */
const orphan = new RegExp(
  `(?:(?:^|[\\n.!?。！？…])[ \\t]*|[^\\s\`'"“「(])${open}${ending}${shut}(?![.,;:!?)\`'"”」、。，])`,
  'i',
)
const ownLine = new RegExp(`^[ \\t]*${open}(?:${names})${shut}`, 'im')
/** Marks of the answer itself, where some templates put it behind the thought. */
const answer = '(?:_of)?_?(?:answer|response|solution|output|final)'
const wrapped = new RegExp(
  `^${open}(?:start|begin)?${answer}${shut}([\\s\\S]*?)(?:${open}(?:/|end)${answer}${shut})?$`,
  'i',
)
/**
 * Channels of OpenAI's open models (harmony), with their marks or without them, Gemma's, and blocks
 * that frontends make.
 */
const channels: readonly RegExp[] = [
  /^(?:<\|start\|>assistant)?<\|channel\|>[\s\S]*<\|channel\|>final[^<]{0,40}<\|message\|>/,
  /^(?:<\|start\|>assistant)?<\|channel\|>final[^<]{0,40}<\|message\|>/,
  /^(?:<\|start\|>assistant)?<\|channel\|>analysis[\s\S]*/,
  /^analysis[\s\S]*?assistantfinal/,
  /^<\|channel>thought[\s\S]*?<channel\|>/,
  /^<unused94>[\s\S]*?<unused95>/,
  /^```think(?:ing)?\n[\s\S]*?\n```/,
  /^<details type="reasoning"[\s\S]*?<\/details>/,
  /^<details[^>]{0,80}>\s{0,9}<summary>[^<]{0,40}(?:think|thought|reason)[^<]{0,40}<\/summary>[\s\S]*?<\/details>/i,
]
/**
 * Signs with which a template ends an answer, directly behind its words, and the box in which GLM
 * puts it.
 */
const ends =
  /(?<! )(?:\n?(?:<[|｜](?:end|return|im_end|eot_id|eom_id|endoftext|end_of_text|end▁of▁sentence|end_of_box)[|｜]>|<end_of_turn>|(?<!<s>[^<]{0,200})<\/s>)){1,4}$/
const box = /^<\|begin_of_box\|>/

/**
 * A model's words without what it thought aloud in front of them (R42, F3); empty when they are
 * nothing but that. Words that write about such marks stay whole.
 *
 * @param isPlain false: one text of a JSON value, whose thought has both its marks. In a whole
 *   answer a template may have swallowed the opening mark, and the end may be missing.
 */
export function withoutThinking(text: string, isPlain = true): string {
  const trimmed = text.replace(/^\u200b+/, '').trim()
  let rest = isPlain ? trimmed.replace(ends, '').replace(box, '').trim() : trimmed
  for (;;) {
    const shorter = withoutFirst(rest, isPlain).trim()
    if (shorter === rest) break
    rest = shorter.replace(wrapped, '$1').trim()
  }
  if (isPlain) return withoutLate(rest)
  return rest === trimmed ? text : rest
}

function withoutFirst(text: string, isPlain: boolean): string {
  const channel = channels.find((one) => one.test(text))
  if (channel !== undefined) return text.replace(channel, '')
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
const withoutLate = (text: string) =>
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
