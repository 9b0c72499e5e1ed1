import { withoutQuotes } from './quotes.ts'

/** Ends a wish: “plan first, then …”, but not “plan first aid training”. */
const after = String.raw`(?=\s*(?:$|[.,;:!?)…—–-])|\s+(?:then|before|please|pls|so|and\s+(?:then|only|wait|ask|show|let|do)|but)\b)`
const plan = String.raw`(?:the|your|a|its)\s+(?:whole\s+|full\s+)?plan`
const wishes = [
  new RegExp(String.raw`\bplan\s+(?:it\s+|this\s+)?first${after}`, 'iu'),
  new RegExp(
    String.raw`\b(?:with|make|write|post|propose|share|give\s+me|tell\s+me|show(?:\s+(?:me|us))?|see|send(?:\s+me)?|approve|review|check|ok|okay)\s+${plan}\s+(?:first|before)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\bfirst\s+(?:show|give|tell|send|propose|post|share|write|make)\s+(?:(?:me|us)\s+)?${plan}\b`,
    'iu',
  ),
  /\bplan\s+before\s+(?:you|doing|acting|anything|changing|starting)\b/iu,
  new RegExp(
    String.raw`\b(?:until|before|unless)\s+(?:i|we)(?:['’]ve|\s+have)?\s+(?:seen|see|approved?|ok(?:ay)?(?:ed)?|agreed?\s+to|confirmed?)\s+${plan}\b`,
    'iu',
  ),
  new RegExp(String.raw`\brun\s+${plan}\s+(?:by|past)\s+(?:me|us)\b`, 'iu'),
  new RegExp(String.raw`\bwait\s+for\s+my\s+(?:ok|okay|approval|go-ahead)\s+on\s+${plan}\b`, 'iu'),
  /先(?:给|让|发|拿)?(?:我|我们|大家)?(?:看看?|看一下|出|列|列出|写|做|做个|给|给出|提|提出|定|说|说说|讲|发|交|展示|显示|过目|确认|讨论)(?:一下|一个|个|下|出)?(?:我|我们|大家)?(?:看看?|看一下|过目)?(?:你的|完整的?)?(?:计划|方案|步骤)(?![书表经里中外])/u,
  /先把?(?:你的)?(?:计划|方案|步骤)(?:先)?(?:发|给|列|写|拿|告诉|让)/u,
  /(?:计划|方案|步骤)先(?:给|发|让|拿|告诉)(?:我|我们|大家)/u,
  /先(?:计划|规划)(?:一下|好)?(?:$|[，。；！,.;!]|再)/u,
  /(?:看过|确认|同意|批准|通过)(?:了|过)?(?:计划|方案)(?:之后|以后|后)?(?:你?再|才)/u,
]
const against =
  /\b(?:no\s+need|not|don['’]?t|never|without|skip|needn['’]?t|instead\s+of)\b[^.,;!?]{0,40}$/iu
const againstHan = /(?:不用|不必|不需要|无需|别|不要|没必要)[^，。；！,.;!]{0,6}$/u

/** True if words ask to see the plan before anything is done (C764); “no need to …” does not. */
export function wantsPlanFirst(said: string): boolean {
  const text = withoutQuotes(said)
  return wishes.some((wish) => {
    const at = text.search(wish)
    if (at === -1) return false
    const before = text.slice(Math.max(0, at - 60), at)
    const isTimed = /^(?:until|before|unless)\b/iu.test(text.slice(at))
    return isTimed || !(against.test(before) || againstHan.test(before))
  })
}
