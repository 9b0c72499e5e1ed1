import { narrow } from './command-line.ts'

const someone = String.raw`everybody|everyone|all(?: of (?:us|you))?|us all|(?:the|our)(?: whole| entire)? (?:team|group|channel|crew|staff)|<@[^>\s]{1,40}>|@[\p{L}\d._-]{1,40}`
const named = String.raw`(?:\s{0,3}(?:,|and|&)\s{1,3}(?:<@[^>\s]{1,40}>|@?[\p{L}\d._-]{1,40})){1,4}`
const people = String.raw`大家|所有人|全体(?:同事|成员|员工)?|全员|团队|各位(?:同事)?|同事们|<@[^>\s]{1,40}>|@[\p{L}\d._-]{1,40}(?=\s)`
const polite = String.raw`(?:(?:hey|hi|ok|okay)[,\s]{1,3})?(?:(?:please|pls|plz|(?:can|could|would|will)\s(?:you|u))[,\s]{1,3}){0,3}`
const asks = new RegExp(
  [
    String.raw`^${polite}remind\s+(?:(?<who>(?:me|us)${named}|(?:${someone})(?:${named})?)|(?:me|us)\b)\s+(?:(?:to|that|about|of)\s+)?`,
    String.raw`^${polite}(?:(?:set|add|create|make)\s{1,3}(?:(?:me|us)\s{1,3})?a\s{1,3}reminder(?:\s{1,3}(?:for|to|on|at)\b|:)|reminder:)\s{0,3}`,
    String.raw`^(?:请|麻烦)?(?:帮我)?设(?:置|定)?(?:一?个)?提醒[,，:：\s]{0,3}`,
    String.raw`^(?:请|到时候?|麻烦)?(?:帮我)?提醒(?:一下)?(?:(?<all>${people})|我们?(?![们和跟与及、])|)(?:一下)?[,，:：\s]*`,
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
  const rest = text.slice(found[0].length)
  const isAsked = /^[^?]{0,20}\b(?:can|could|would|will) /i.test(found[0])
  return {
    who: who === undefined ? named : `${who}: `,
    rest: isAsked ? rest.replace(/[?？]$/, '') : rest,
  }
}

/**
 * Text of a reminder, with the people whom it is for; a thing that names them already stays as it
 * is.
 */
export const saidTo = (who: string, what: string) =>
  what === '' || narrow(what).startsWith(narrow(who)) ? what : `${who}${what}`
