import { withoutQuotes } from './quotes.ts'

/** Ends a wish: “plan first, then …”, but not “plan first aid training”. */
const after = String.raw`(?=\s*(?:$|[.,;:!?)…—–-])|\s+(?:then|before|please|pls|so|and\s+(?:then|only|wait|ask|show|let|do)|but)\b)`
const plan = String.raw`(?:the|your|a|its)\s+(?:whole\s+|full\s+)?(?:plan|steps)`
/** No beginning of a day, and no other event. */
const first = String.raw`(?:first(?!\s+thing)|before(?=\s{0,9}(?:$|[.,;:!?)]|you\b|doing\b|acting\b|any|start|chang|send|delet)))`
const wishes = [
  new RegExp(
    String.raw`(?<!\b(?:the|a|your|his|her|my|our|their)\s)\bplan\s+(?:it\s+|this\s+)?first${after}`,
    'iu',
  ),
  /\b(?:start|begin)\s+with\s{1,9}a\s{1,9}plan(?=\s{0,9}(?:$|[.,;!])|\s{1,9}(?:and|then|please)\b)|^first\s{1,9}(?:a\s{1,9})?plan\s{0,9},/iu,
  new RegExp(
    String.raw`\b(?:with|make|write|draft|outline|list|post|propose|share|give\s+me|tell\s+me|show(?:\s+(?:me|us))?|see|send(?:\s+me)?|approve|review|check|ok|okay)\s+${plan}\s+${first}`,
    'iu',
  ),
  new RegExp(
    String.raw`\bfirst\s+(?:show|draft|give|tell|send|propose|post|share|write|make)\s+(?:(?:me|us)\s+)?${plan}\b`,
    'iu',
  ),
  /\bplan\s+before\s+(?:you|doing|acting|anything|changing|starting)\b/iu,
  new RegExp(
    String.raw`\b(?:until|before|unless)\s+(?:i|we)(?:['’]ve|\s+have)?\s+(?:seen|see|approved?|ok(?:ay)?(?:ed)?|agreed?\s+to|confirmed?)\s+${plan}\b`,
    'iu',
  ),
  new RegExp(String.raw`\brun\s+${plan}\s+(?:by|past)\s+(?:me|us)\b`, 'iu'),
  new RegExp(String.raw`\bwait\s+for\s+my\s+(?:ok|okay|approval|go-ahead)\s+on\s+${plan}\b`, 'iu'),
  /先(?:给|让|发|拿)?(?:我|我们|大家)?(?:看看?|看一下|出|列|列出|写|做|做个|给|给出|提|提出|定|说|说说|讲|发|交|展示|显示|过目|确认|讨论)(?:一下|一个|个|下|出)?(?:我|我们|大家)?(?:看看?|看一下|过目)?(?:你的|完整的?)?(?:计划|方案|步骤)(?![书表经里中外部生a-z一二三四五六七八九十\d]|给(?!我|大家))/iu,
  /先把?(?:你的)?(?:计划|方案|步骤)(?:先)?(?:列|写|(?:发|给|拿|告诉|让)(?:给|到)?(?:我|大家|群|一下|出来|[，。]|$))/u,
  /(?:计划|方案|步骤)先(?:给|发|让|拿|告诉)(?:我|我们|大家)/u,
  /先(?:计划|规划)(?:一下|好)?(?:$|[，。；！,.;!]|再)/u,
  /(?:计划|方案)(?:要|得)?我们?(?:看过|同意|确认|批准)(?:了|过)?(?:以后|之后|后)?再/u,
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
    const isAgainst = against.test(before) || againstHan.test(before)
    const timed = /^(until|before|unless)\b/iu.exec(text.slice(at))?.[1]?.toLowerCase()
    // “Nothing before I approve the plan”; “list the risks before we approve the plan” does that.
    if (timed === 'before') return isAgainst || /\b(?:nothing|wait)\b[^.,;!?]{0,40}$/iu.test(before)
    return timed !== undefined || !isAgainst
  })
}
