import { narrow } from './command-line.ts'

const someone = String.raw`everybody|everyone|all(?: of (?:us|you))?|us all|(?:the|our)(?: whole| entire)? (?:team|group|channel|crew|staff)|<@[^>\s]{1,40}>|@[\p{L}\d._-]{1,40}`
const named = String.raw`(?:\s{0,3}(?:,|and|&)\s{1,3}(?:<@[^>\s]{1,40}>|@?[\p{L}\d._-]{1,40})){1,4}`
const people = String.raw`大家|所有人|全体(?:同事|成员|员工)?|全员|团队|各位(?:同事)?|同事们|<@[^>\s]{1,40}>|@[\p{L}\d._-]{1,40}(?=\s)`
const asks = new RegExp(
  [
    String.raw`^(?:please\s+)?remind\s+(?:(?<who>(?:me|us)${named}|(?:${someone})(?:${named})?)|(?:me|us)\b)\s+(?:(?:to|that|about|of)\s+)?`,
    String.raw`^(?:请|到时候?|麻烦)?提醒(?:一下)?(?:(?<all>${people})|我们?(?![们和跟与及、])|)(?:一下)?[,，:：\s]*`,
  ].join('|'),
  'iu',
)

/** “Remind me”, “提醒大家”: the words behind it, and the people it names besides the speaker (C621). */
export interface AskedReminder {
  who: string
  rest: string
}

/** Null: the text does not ask for a reminder. */
export function askedReminder(text: string): AskedReminder | null {
  const found = asks.exec(text)
  if (found === null) return null
  const { who, all = '' } = found.groups ?? {}
  const named = /^[<@]/.test(all) ? `${all} ` : all
  return { who: who === undefined ? named : `${who}: `, rest: text.slice(found[0].length) }
}

/**
 * Text of a reminder, with the people whom it is for; a thing that names them already stays as it
 * is.
 */
export const saidTo = (who: string, what: string) =>
  what === '' || narrow(what).startsWith(narrow(who)) ? what : `${who}${what}`
