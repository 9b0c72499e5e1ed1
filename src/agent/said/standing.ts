import { withoutQuotes } from './quotes.ts'

const consent = String.raw`(?:(?:yes|yep|yeah|ok|okay|sure|fine|approved?|allow(?:ed)?|go ahead|please do)[,.;:!\s]{1,9})?(?:(?:approve|allow|do|you may do)\s{1,9})?(?:(?:it|this|that)\s{1,9})?`
const always = new RegExp(
  String.raw`^${consent}(?:always|from now on|every time|for good)(?:\s{1,9}(?:here|approved?|allow(?:ed)?|ok|okay|do it)){0,4}(?:\s{1,9}until\s{1,9}(?<until>\S.{0,99}))?$`,
  'iu',
)
const dated = new RegExp(
  String.raw`^${consent}(?:here\s{1,9})?(?:until|till)\s{1,9}(?<until>\S.{0,99})$`,
  'iu',
)
const hanAlways =
  /^(?:可以|批准|同意|好的?|行)?[，,。！\s]{0,9}(?:(?:以后|今后|在这里)都|(?:以后|今后|在这里)?(?:一直|总是|每次都?))(?:可以|批准|同意|允许|行|这样)(?:做|用)?$/u
const hanDated = /^(?:可以|批准|同意|好的?|行)?[，,\s]{0,9}(?:一直)?(?:到|直到)(?<until>.{1,99})$/u
const hanEnd = /(?:为止|之前|以前)?(?:都可以|都行|都批准)?$/u
const mark = /[.!。！\s]{1,9}$/u

/**
 * “always here”, “yes, until Friday”: an approval that stays, and the words that end it. Null:
 * none.
 */
export function standingIn(said: string): { until: string | null } | null {
  const text = withoutQuotes(said).normalize('NFKC').trim().replace(mark, '')
  if (text.length > 120 || /[?？]\s*$/u.test(text)) return null
  for (const form of [always, dated, hanAlways, hanDated]) {
    const found = form.exec(text)
    if (found !== null) return { until: found.groups?.until?.replace(hanEnd, '').trim() ?? null }
  }
  return null
}
