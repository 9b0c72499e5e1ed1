import type { Kind } from './request.ts'

/** The English that rehearsal reads. Words for reading only: nothing here is shown to anyone. */

const verbs: Partial<Record<Kind, string>> = {
  find: 'find|find out|research|look up|look for|look into|search|search for|investigate|gather|collect|explore|google|discover|check|check out|get|hunt for|track down|ask about|see if|see whether',
  compare: 'compare|weigh|weigh up|contrast|rank',
  choose: 'choose|pick|pick out|select|decide|decide on|settle on|suggest|recommend|propose|shortlist',
  book: 'book|reserve|schedule|arrange|hire|rent|set up|make an appointment',
  buy: 'buy|order|purchase',
  send: 'send|send out|email|e-mail|mail|message|text|tell|notify|inform|invite|ask|forward|contact|call|phone|ring|reply|reply to|respond to|answer|thank|ping|dm|remind',
  write:
    'write|draft|compose|prepare|create|make|generate|design|document|draw up|put together|build|write up|come up with',
  explain:
    'summarise|summarize|sum up|recap|explain|describe|define|rewrite|rephrase|reword|shorten|simplify|polish|edit|correct|outline|tell me|tell us|teach me',
  review: 'review|analyse|analyze|proofread|assess|evaluate|audit|critique|check over|go through|read|inspect|estimate',
  translate: 'translate',
  plan: 'plan|organise|organize|coordinate|plan out',
  list: 'list|enumerate|name|give me|give us|brainstorm|show|show me|show us',
  other:
    'fix|tidy|tidy up|label|assign|deliver|update|clean|clean up|deploy|refactor|test|run|start|stop|install|configure|remove|delete|rename|move|publish|release|post|share|upload|download|improve|change|convert|calculate|compute|count|measure|monitor|watch|move|merge|close|open|print|backup|back up|archive|prioritise|prioritize|sort|group|solve|finish|complete|handle|sort out|take care of|deal with|cancel|renew|pay|return|pack|cook|bake|paint|repair|implement|add|put|note|record|log|track|turn|split|help|do',
}

export const verbKinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(verbs).flatMap(([kind, list]) => list.split('|').map((verb) => [verb, kind as Kind] as const)),
)

/** Verbs that are as often nouns: behind “and” they begin a clause only where an object follows. */
export const nounsToo = new Set(
  'plan|book|list|email|mail|call|review|draft|search|research|schedule|check|order|design|document|name|answer|share|post|rent|rank|contact|message|text|update|test|release|record|show|note|print|change|return|watch|report|look|reserve|estimate|open|close|count|log|track|help|backup|archive|sort|group|move|paint|pack|ring|phone|ask|build|start|stop|run|read|hire|get|split|turn|do|fix|forward|pick|repair|merge|monitor|measure|weigh|reply|contrast|cook|clean|pay|cancel'.split(
    '|',
  ),
)

/** What an object begins with. */
export const determiner =
  /^(?:the|a|an|my|our|your|his|her|their|its|all|some|any|every|each|both|this|that|these|those|it|them|him|me|us|one|two|three|four|five|six|seven|eight|nine|ten|\d[\d.,]*|up|out|for|whether|if|what|which|who|how|when|where|why|to|on|with|about|of)$/i

export const pronoun = /^(?:it|them|this|that|these|those|everything|him|her|things|sure|one)\b/i

export const count = '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|both|\\d{1,3})'

/** Things that are somewhere. */
export const placeNoun =
  '(?:venue|hotel|restaurant|caf[eé]|location|apartment|flat|co-?working space|coworking space|bar|pub|museum|gym|hostel|campsite|airbnb|bed and breakfast|place to (?:eat|stay|meet)|places to (?:eat|stay|meet)|caterer|conference centre|conference center|event space)s?'

/** Things that one of many can be meant by. */
export const thingNoun =
  '(?:document|doc|report|file|contract|text|article|paper|letter|presentation|slides|deck|spreadsheet|bug|issue|ticket|error|pull request|pr|offer|option|candidate|proposal|quote|product|supplier|vendor|provider|version|draft|book|film|movie|website|page|image|photo|picture|video|recording|email|application|cv|résumé|resume|invoice|design|laptop|tool|plan|service|model|applicant|applicants|bid|tender|phone|car|paragraph|poem|essay|chapter|transcript|minutes|survey|module|function|branch)s?'

/** People by what they are to us. */
export const roleNoun =
  '(?:customer|client|supplier|vendor|candidate|applicant|partner|guest|speaker|tenant|patient|student|contractor|investor|sponsor|journalist|buyer|seller)s?'

/** Things that are sent, if need be to nobody in particular. */
export const mailNoun =
  '(?:invitation|invite|email|e-mail|mail|message|letter|report|reminder|newsletter|offer|contract|invoice|summary|agenda|minutes|announcement|update|slides|presentation|card|survey)s?'

/** Things that take place at a time. */
export const timedNoun =
  '(?:table|room|seat|meeting|call|flight|hotel|appointment|slot|train|ticket|desk|dinner|lunch|breakfast|brunch|photographer|band|dj|taxi|cab|car|van|bus|court|session|interview|demo|review|workshop|retro|retrospective|stand-?up|sync|catch-?up|visit|inspection|cleaner|haircut|dentist|doctor|venue|restaurant|date|day|time)s?'

export const eventNoun =
  '(?:party|lunch|dinner|offsite|off-site|workshop|meeting|conference|retreat|wedding|hackathon|meetup|barbecue|bbq|picnic|celebration|kick-?off|all-hands|open day|team day|event|training)s?'

export const travelNoun = '(?:trip|holiday|vacation|journey|weekend away|city break|flight|train|getaway|excursion)s?'

export const groupMeal =
  '(?:lunch|dinner|breakfast|brunch|pizzas?|food|drinks?|catering|sandwich(?:es)?|snacks?|cakes?|coffee|refreshments)'

const months =
  'january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'
const days =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays'
const clock =
  '(?:\\s*,?\\s*(?:at\\s+)?(?:\\d{1,2}[:.]\\d{2}\\s*(?:am|pm)?|\\d{1,2}\\s*(?:am|pm)|noon)|\\s+at\\s+\\d{1,2}(?![\\d%]))?'
const dayPart = '(?:\\s+(?:morning|afternoon|evening|night|noon))?'

/** A time as people write it, in words that say when. */
export const date = new RegExp(
  [
    `\\bevery\\s+(?:other\\s+)?(?:day|week|month|year|morning|evening|${days})\\b${clock}`,
    `\\b(?:${days}),?\\s+(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?(?:${months}|may)\\b(?:\\s+\\d{4})?${clock}`,
    `\\b(?:${days}),?\\s+(?:${months}|may)\\s+\\d{1,2}(?:st|nd|rd|th)?\\b${clock}`,
    `\\b\\d{4}-\\d{2}-\\d{2}\\b${clock}`,
    `\\b(?:today|tonight|tomorrow|the day after tomorrow)${dayPart}\\b${clock}`,
    `\\b(?:(?:this|next|coming|last)\\s+)?(?:${days})\\b${dayPart}${clock}`,
    `\\b(?:this|next|coming)\\s+(?:week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|(?:${months}))\\b`,
    `\\b\\d{1,2}(?:st|nd|rd|th)?(?:\\s*(?:-|–|to)\\s*\\d{1,2}(?:st|nd|rd|th)?)?\\s+(?:of\\s+)?(?:${months}|may)\\b(?:\\s+\\d{4})?${clock}`,
    `\\b(?:${months}|may)\\s+\\d{1,2}(?:st|nd|rd|th)?\\b(?:,?\\s+\\d{4})?${clock}`,
    `\\b(?:in|by|for|during|early|mid|late|of)\\s+(?:${months}|may)\\b`,
    "\\bin\\s+(?:an?|one|two|three|four|five|six|\\d+)\\s+(?:minute|hour|day|week|month)s?(?:[’']? time)?\\b",
    '\\b(?:at\\s+)?\\d{1,2}(?::\\d{2})?\\s*(?:am|pm)\\b|\\bat\\s+\\d{1,2}:\\d{2}\\b',
    "\\b(?:asap|as soon as possible|right away|end of (?:the )?(?:day|week|month|year)|christmas|easter|new year(?:[’']s)?(?: eve)?|every\\s+(?:day|week|month|morning|evening))\\b",
  ].join('|'),
  'iu',
)

/** Names that look like places behind “in” and are none. */
export const notPlaces =
  /^(?:english|german|french|spanish|italian|chinese|japanese|portuguese|dutch|polish|russian|korean|arabic|python|javascript|typescript|java|rust|excel|markdown|word|pdf|json|csv|slack|discord|teams|notion|jira|github|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|i)\b/i

export const knownPlaces =
  /\b(?:lisbon|berlin|barcelona|madrid|porto|paris|london|rome|milan|florence|venice|naples|vienna|prague|budapest|warsaw|krakow|amsterdam|rotterdam|brussels|bruges|munich|hamburg|cologne|frankfurt|zurich|geneva|basel|copenhagen|stockholm|oslo|helsinki|dublin|edinburgh|glasgow|manchester|athens|istanbul|valencia|seville|malaga|lyon|marseille|nice|new york|san francisco|los angeles|chicago|boston|seattle|toronto|montreal|vancouver|mexico city|tokyo|kyoto|osaka|seoul|beijing|shanghai|shenzhen|hong kong|taipei|singapore|bangkok|mumbai|delhi|bangalore|dubai|sydney|melbourne|auckland|cape town|nairobi|portugal|spain|france|italy|germany|austria|switzerland|netherlands|belgium|england|scotland|ireland|denmark|sweden|norway|finland|greece|poland|japan|china|korea|india|canada|iceland|croatia)\b/i
