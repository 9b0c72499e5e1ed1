/** F22: a step is declared by a line that begins with exactly this. */
const declaration = /^\[Step\][^\S\n]*(\S.*)/gm

/** F21, in any capitals, anywhere outside code. */
const marker = /\[(?:done|完成|step done|步骤完成|complete|completed|结束)\]/giu

/** C502: line for people beside the work. C501: mark of a report whose goal was not reached. */
const spoken = /^\[Say\][^\S\n]*(\S.*)/gim
const givingUp = /\[(?:given up|give up|没能办成)\]/giu

/** F21: words that say that something new begins. */
const english = /\b(?:next|now|then|continue|let me|proceed)\b/iu
const chinese = /^(?:现在|接下来|然后|继续|开始)/u

/** A clause with one of these says that nothing begins (C20). */
const negation = /\b(?:not|never|no|cannot|without|unless)\b|n[’']t\b|[不没未别勿]/iu

/** C579: mark of the report that comes with calls: all that follows it. */
const reporting = /^\[Report\][^\S\n]*\n?/im

/** C579: the words beside calls, and the report behind them; null: none. */
export function apart(text: string): { words: string; report: string | null } {
  const mark = reporting.exec(text)
  if (mark === null) return { words: text, report: null }
  const report = text.slice(mark.index + mark[0].length).trim()
  return { words: text.slice(0, mark.index).trim(), report: report === '' ? null : report }
}

/** The steps that a text declares, in order (R76, R77). */
export function stepsIn(text: string): string[] {
  return [...withoutCode(text).matchAll(declaration)].map(([, description = '']) =>
    description.replace(marker, '').trim(),
  )
}

/** C502: words for people in a text that goes on with a call; null: none. */
export function saidIn(text: string): string | null {
  const lines = [...withoutCode(text).matchAll(spoken)].map(([, words = '']) => words.trim())
  return lines.length === 0 ? null : lines.join('\n')
}

/** C501: true if a report says that its goal was not reached. */
export const givesUp = (text: string): boolean => withoutCode(text).search(givingUp) !== -1

/** R79: number of times that the text says in so many words that a step is done. */
export const marksIn = (text: string): number => withoutCode(text).match(marker)?.length ?? 0

/**
 * R80, C20: true if the text goes on to something else. Only whole words of the model's own
 * sentences count: no code, quotes, declarations or denying clauses. Chinese words have no
 * boundaries, so they must begin a clause.
 */
export function goesOn(text: string): boolean {
  const own = withoutCode(text)
    .replace(declaration, '')
    .replace(/^>.*$/gm, '')
    .replace(/"[^"\n]*"|“[^“”]*”|«[^«»]*»|「[^「」]*」|『[^『』]*』/g, ' ')
    .replace(/(?<!\p{L})'[^'\n]*'(?!\p{L})/gu, ' ')
  const clauses = own.split(/[.,;:!?\n。，；：！？、…—]/u).map((clause) => clause.trim())
  return clauses.some(
    (clause) => !negation.test(clause) && (english.test(clause) || chinese.test(clause)),
  )
}

/** The text for people: without the marks that are for Clew. */
export function withoutMarks(text: string): string {
  const shown = text
    .replace(declaration, '- $1')
    .replace(spoken, '$1')
    .replace(reporting, '')
    .replace(marker, '')
    .replace(givingUp, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return shown === '' ? text.trim() : shown
}

const withoutCode = (text: string) =>
  text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/`[^`\n]*`/g, ' ')
