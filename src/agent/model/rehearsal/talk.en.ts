import { plain, verbOf } from './clause.en.ts'
import type { Talk } from './request.ts'
import { trimEnd } from './text.ts'

/** What is said to Clew without wanting work of it. */
export function smallTalk(text: string): Talk | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'unclear'
  const said = trimEnd(text.replace(/^@?clew\b[\s,:!-]*/i, '').replace(/[,\s]+@?clew\b[\s.!?]*$/i, ''))
    .replace(/\?+$/, '')
    .trim()
  if (said === '') return 'greeting'
  if (greetings.test(said)) return 'greeting'
  if (thanks.test(said)) return 'thanks'
  if (acknowledgements.test(said)) return 'acknowledged'
  const asked = said.replace(opening, '')
  if (about.test(asked) && verbOf(plain(asked)) === null) return 'about'
  if (
    /^(?:help|info|about|features|commands)$/i.test(asked) ||
    /^(?:tell (?:me|us) (?:more )?about|describe|introduce|explain) (?:yourself|clew|what you (?:can )?do)$/i.test(
      asked,
    )
  )
    return 'about'
  if (/^\p{L}+(?: \p{L}+)? (?:it|this|that|them)$/iu.test(said)) return 'unclear'
  return /^(?:again|do it|do that|go|same again|more|this|that|it|test|testing|ping|why|what|how|where|when|who|really)$/i.test(
    said,
  )
    ? 'unclear'
    : null
}

const opening =
  /^(?:hi|hello|hey|howdy|good (?:morning|afternoon|evening|day))(?:[\s,!]+(?:clew|there|all|team))*[\s,!.:-]+/i
const greetings =
  /^(?:hi|hello|hey|howdy|hiya|yo|greetings|good (?:morning|afternoon|evening|day))(?:[\s,!]+(?:clew|there|all|team|everyone|everybody|again))*(?:[\s,!.]+(?:how are you(?: doing)?(?: today)?|how['’]?s it going|nice to meet you))?$|^(?:how are you(?: doing)?(?: today)?|how['’]?s it going|what['’]?s up|nice to meet you|are you there|anybody there)$/i
const thanks =
  /^(?:(?:many |great,? |ok,? |perfect,? )?(?:thanks|thank you|thx|cheers|ta)\b(?: (?:a lot|so much|very much|again|clew|for (?:the|your) \p{L}+|for (?:that|this)|everyone|all))*|much appreciated|(?:well|nicely) done|good (?:job|work|bot)|great(?: job| work)?|nice(?: one| work)?|awesome|perfect|cool|love it)(?:[\s,!.]+(?:thanks|thank you))?$/iu
const acknowledgements =
  /^(?:ok(?:ay)?|k|yes|yep|yeah|no|nope|sure|fine|alright|all right|got it|understood|i see|right|noted|never ?mind|no worries|bye|goodbye|see you(?: later| tomorrow)?|good night|lol|haha+|hm+|continue|go on|stop|cancel|wow|sorry)$/i
const about =
  /^(?:who|what) (?:are|is) (?:you|clew|this bot)\b|^(?:what|how|which) (?:\p{L}+ )?(?:can|could|do|does|will|would|are|should) (?:you|clew)\b|^(?:what|how) (?:can|do|should|could) (?:i|we) (?:do|use|start|talk|work)\b.*(?:you|clew|here)?$|^(?:are|do|did|have|were) you\b|^is (?:this|clew) (?:a|an|the|real|ai)\b|^(?:what|who)['’]s (?:your|clew)\b|^(?:what is|what are) your\b|^can you (?:help(?: me| us)?|do (?:that|this|anything|things)|hear me|speak \p{L}+|understand me)$|^how does (?:this|clew|it) work$|^where are you\b|^why (?:are|do|did) you\b/iu

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const numbers: readonly string[] = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]
const span =
  '(\\d{1,6}(?:\\.\\d)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|half an)\\s*-?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\\b'

const waiting = new RegExp(
  `^(?:wait|sleep|pause|hold on|idle|do nothing|set a timer|start a timer|timer)\\s*(?:for\\s+|of\\s+)?(?:about\\s+|another\\s+)?${span}$`,
  'i',
)
const timer = new RegExp(`^(?:set|start)\\s+an?\\s+${span}\\s+timer$`, 'i')
const later = new RegExp(
  `^(?:remind|ping|wake|tell|alert|notify|nudge)\\s+(?:me|us)(?:\\s+up)?\\s+(?:in|after)\\s+${span}\\s*(?:to\\s+|that\\s+|about\\s+|of\\s+)?(.*)$`,
  'i',
)
const behind = new RegExp(
  `^(?:remind|ping|tell|alert|notify|nudge)\\s+(?:me|us)\\s+(?:to\\s+|that\\s+|about\\s+|of\\s+)(.+?)\\s+(?:in|after)\\s+${span}$`,
  'i',
)

/** Whole seconds; null when it asks for more than waiting, or for longer than thirty days. */
export function wait(text: string): { seconds: number; what: string | null } | null {
  const said = trimEnd(plain(text))
  const match = waiting.exec(said) ?? timer.exec(said) ?? later.exec(said)
  if (match !== null) return asWait(match[1], match[2], match[3])
  const last = behind.exec(said)
  return last === null ? null : asWait(last[2], last[3], last[1])
}

function asWait(count = '', unit = '', what = ''): { seconds: number; what: string | null } | null {
  const word = count.toLowerCase()
  const size = /^\d/.test(word)
    ? Number(word)
    : word.startsWith('half')
      ? 0.5
      : word.startsWith('a')
        ? 1
        : numbers.indexOf(word)
  const seconds = Math.round(size * (units[unit.charAt(0).toLowerCase()] ?? 1))
  return seconds > 0 && seconds <= 30 * 24 * 3600 ? { seconds, what: what.trim() === '' ? null : what.trim() } : null
}
