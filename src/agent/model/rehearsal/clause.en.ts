import { knownPlaces, notPlaces, verbKinds } from './lexicon.en.ts'
import type { Clause, Kind } from './request.ts'

/* The pieces of an English clause, for all who read one. */

/** Words before the point: greetings, courtesies, connectives. */
const leading = [
  /^@?clew\b[\s,:!-]*/i,
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b(?:\s+(?:clew|there|all|team|everyone))?[\s,!.:-]*(?=\S)/i,
  /^(?:please|pls|kindly|now|ok(?:ay)?|so|well|also|and|but|then|next|after that|afterwards|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|thanks|thank you|just|oh|plus|maybe|perhaps|yes|besides|one more thing|by the way|btw|quick(?:ly)?)\b[\s,:!.-]*(?=\S)/i,
  /^(?:can|could|would|will) (?:you|we|someone|somebody)(?:,? please| kindly| maybe| also)?\s+/i,
  /^(?:i|we)(?:['’]d| would)?(?: also| really)? (?:like|want|need|have|wish)(?: you| us)? to\s+/i,
  /^(?:help|assist) (?:me|us)(?: to| with)?\s+/i,
  /^(?:i was wondering if you could|would you mind|do you mind|it would be (?:nice|great|good) (?:if you could|to)|you (?:should|could|can)|your (?:task|job) is to|go and|try to|let['’]?s|let us)\s+/i,
]
const trailing = /[\s,]*\b(?:please|thanks(?: a lot)?|thank you|for me|for us|if you can|will you|would you)[\s.!?]*$/i

/** The text without courtesies before and behind it. */
export function plain(text: string): string {
  let rest = text.trim()
  for (let before = ''; before !== rest; ) {
    before = rest
    for (const pattern of leading) rest = rest.replace(pattern, '')
    rest = rest.replace(trailing, '')
  }
  return rest
    .replace(
      /^(?:i|we)(?:['’]d| would)? (?:need|want|like|love) (?:a|an) (?:short |brief |quick )?(?:summary|overview|recap) of\s+/i,
      'summarise ',
    )
    .replace(
      /^(?:i|we)(?:['’]d| would)? (?:need|want|like|love)\s+|^(?:i|we)(?:['’]m| am|['’]re| are) looking for\s+/i,
      'find ',
    )
    .trim()
}

/** The verb that the text begins with, in its own letters; the longest that is known. */
export function verbOf(text: string): string | null {
  for (let words = 4; words > 0; words -= 1) {
    const match = new RegExp(`^(?:[\\p{L}-]+\\s+){${words - 1}}[\\p{L}-]+(?![\\p{L}'’-])`, 'u').exec(text)
    if (match !== null && verbKinds.has(match[0].toLowerCase().replace(/\s+/g, ' '))) return match[0]
  }
  return null
}

export function clauseOf(kind: Kind, text: string, object: string): Clause {
  const purpose =
    /\bfor\s+((?:the|our|my|a|an|\p{Lu}[\p{L}’']*s|\p{Ll}+day['’]s)\s+[^,:]{2,40}?)(?=\s+(?:in|on|at|with|by|to|from|before|after)\b|[,:]|$)/u.exec(
      text,
    )
  return {
    kind,
    text: text.trim(),
    object: object.trim(),
    purpose: purpose?.[1] ?? null,
    given: false,
    names: [],
    reminds: false,
    command: null,
  }
}

/** The first place that a text names: a known one, a name behind “in”, or “near the office”. */
export function placeIn(text: string): string | null {
  const known = knownPlaces.exec(text)?.[0]
  if (known !== undefined) return known.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())
  for (const match of text.matchAll(
    /\b(?:in|near|around)\s+(?:the\s+city\s+of\s+)?(\p{Lu}[\p{L}.'’-]+(?:\s+\p{Lu}[\p{L}.'’-]+)*)/gu,
  )) {
    if (match[1] !== undefined && !notPlaces.test(match[1])) return match[1]
  }
  return (
    /\b(?:near|around|close to|next to|in|at)\s+(?:the|our|my)\s+(?:\p{L}+\s+)?(?:office|station|airport|beach|centre|center|headquarters|hq|house|home|area|neighbourhood|neighborhood|building|mountains|sea|countryside|park|campus|street)\b|\b(?:nearby|near (?:me|us|here|by)|around here|online|remote(?:ly)?|downtown|on[- ]site|at home)\b/iu.exec(
      text,
    )?.[0] ?? null
  )
}
