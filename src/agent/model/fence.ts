/** F1: what a prompt shows of one observation, in characters. */
export const observationLimit = 10_000

/**
 * Marks text that others wrote, so that a model can tell it from its instructions (S4).
 *
 * @param from who wrote it: a rule of the system prompt is tied to each of these.
 * @param fields label and text, shown in this order. Whatever a text holds, it cannot close the fence.
 */
export function fence(
  from: 'person' | 'overheard' | 'tool' | 'plan' | 'memory' | 'server',
  fields: Readonly<Record<string, string>>,
): string {
  const lines = Object.entries(fields).map(([label, text]) => `${label}: ${clean(text)}`)
  return [`<data from="${from}">`, ...lines, '</data>'].join('\n')
}

/**
 * Text that may stand in a prompt: no fence of ours, no turn marker of a chat template (`<|im_end|>`), no control
 * characters, and no half of a surrogate pair, for which endpoints refuse the whole request.
 */
export function clean(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .replace(/<(?=\s*(?:\/\s*)?data\b|\|)/gi, '‹')
  )
}

/** The first `limit` characters, with a note of what is missing. Never cuts a surrogate pair in half. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  return `${kept}… [${text.length - kept.length} more characters]`
}
