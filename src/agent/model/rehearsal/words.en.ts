import { placeNoun } from './lexicon.en.ts'
import type { Clause, Slot } from './request.ts'
import { capitalised, shorten, trimEnd } from './text.ts'

/** Every English word that rehearsal shows. */

const the = (text: string): string => text.replace(/^(?:a|an|some|one|our|my)\s+(?!of\b)/i, 'the ')
const stripped = (text: string): string =>
  text
    .replace(
      /\s+in\s+\S+\s+(?:short |brief )?(?:sentences?|words|lines|paragraphs?|bullet points?|bullets|points|pages?)\b.*$/i,
      '',
    )
    .split(': ')[0] ?? text
const short = (text: string): string => shorten(trimEnd(stripped(text)), 60)
const head = (text: string): string =>
  shorten(trimEnd(text.split(/\s+(?:to|for|about|that|which|in|on|at|with|from|of|saying)\s+/, 1)[0] ?? text), 50)
const plural = (text: string): boolean =>
  /(?:[^s]s|men|people|children)$/i.test(head(text)) &&
  /^(?:the|these|those|our|my|two|three|four|five|six|\d+)\b/i.test(text)
const somewhere = new RegExp(`\\b${placeNoun}(?!\\p{L})`, 'iu')
const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const number = (count: number): string => numbers[count] ?? String(count)
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** A day of the calendar; `weekday` counts from Sunday. */
export interface Day {
  year: number
  month: number
  day: number
  weekday: number
}

export const words = {
  item(text: string): string {
    return capitalised(shorten(trimEnd(text), 90))
  },
  findOut({ object }: Clause) {
    const what = short(object.replace(/^(?:(?:one|some|two|three|the best) of|between|from)\s+/i, ''))
    return plural(what) && somewhere.test(what) ? `Find out what ${what} offer` : `Find out about ${the(what)}`
  },
  options: ({ object }: Clause) => `Collect options for ${the(short(object.replace(/^between\s+/i, '')))}`,
  check: ({ object }: Clause) => `Check ${the(short(object))}`,
  availability: ({ object }: Clause) => `Check availability for ${the(short(object))}`,
  prices: ({ object }: Clause) => `Compare prices for ${the(short(object))}`,
  chooseDate: ({ purpose }: Clause) => (purpose === null ? 'Choose a date' : `Choose a date for ${purpose}`),
  bookDate: () => 'Book the date',
  draft: () => 'Draft what to say',
  gather: ({ object }: Clause) => `Gather what belongs in ${the(head(object))}`,
  proofread: () => 'Read it through once more',
  readText: () => 'Read the text',
  lookUp({ object }: Clause) {
    const what = object
      .replace(/^in \S+ (?:short |brief )?(?:sentences?|words|lines|paragraphs?)\s+/i, '')
      .replace(/^about\s+/i, '')
      .replace(/,\s+(?:and|then)\b.*$/i, '')
    return `Look up ${short(what.replace(/\s+(?:to|for)\s+(?:(?:a|an|my|our)\s+)?(?:\S+-year-olds?|beginners?|child(?:ren)?|kids|newcomers|laypeople)\b.*$/i, ''))}`
  },
  goThrough: ({ object }: Clause) => `Go through ${the(short(object))}`,
  findings: () => 'Write down what stands out',
  needs: ({ object }: Clause) => `Find out what ${the(short(object))} needs`,
  order: () => 'Put the steps in order',
  planToList: () => 'Put the plan on the to-do list',
  noteOne: (name: string) => `Note “${shorten(name, 60)}”`,
  noteAll: (count: number) => `Note the ${number(count)} to-dos`,
  noteNothing: () => 'Note the to-dos',
  checkList: () => 'Check the to-do list',
  lookUpQuestion: ({ text }: Clause) => `Look up “${shorten(text, 70)}?”`,
  writeAnswer: () => 'Write the answer',
  writeUp: () => 'Write up what was found',
  workOut: () => 'Work out what it takes',
  understand: (goal: string) => `Work out what “${shorten(goal, 60)}” needs`,
  result: () => 'Write up the result',
  allowFor: (condition: string) => `Allow for “${shorten(condition, 70)}”`,
  /** One to-do of several that have a purpose in common. */
  nameFor: (name: string, purpose: string) => `${name} for ${purpose}`,
  /** A number behind an item that is already in the plan. */
  again: (text: string, nth: number) => `${text} (part ${nth})`,
  /** What people added, behind an item or a to-do. */
  aside: (parts: readonly string[]) => (parts.length === 0 ? '' : ` (${parts.join('; ')})`),

  question(slot: Slot): string {
    switch (slot.kind) {
      case 'place':
        return 'Which city?'
      case 'destination':
        return 'Where to?'
      case 'date':
        return 'For which date?'
      case 'which':
        return `Which ${which(slot.phrase)} do you mean?`
      case 'recipient':
        return slot.phrase === '' ? 'Who should get it?' : `Which ${which(slot.phrase)} do you mean?`
      case 'people':
        return 'For how many people?'
      case 'amount':
        return 'How many?'
      case 'language':
        return 'Into which language?'
      case 'text':
        return 'What should the to-dos say?'
    }
  },
  choices(slot: Slot, days: readonly Day[]): string[] {
    switch (slot.kind) {
      case 'place':
      case 'destination':
        return ['Lisbon', 'Berlin', 'Barcelona']
      case 'date':
        return days.map(spoken)
      case 'recipient':
        return slot.phrase === '' ? ['The whole team', 'The people in this thread'] : []
      case 'people':
        return ['5', '10', '20']
      case 'amount':
        return ['10', '50', '100']
      case 'language':
        return ['English', 'Chinese', 'Spanish']
      case 'which':
      case 'text':
        return []
    }
  },

  summaryTitle: 'Summary of this thread',
  summary: (count: number, people: readonly string[]) =>
    `This thread has ${number(count)} ${count === 1 ? 'message' : 'messages'}${people.length === 0 ? '' : `; ${list(people)} took part`}. What it came to needs a model.`,

  outcome: {
    found: 'looked up; what came back is below',
    nothingFound: 'the search brought nothing, so this rests on the request alone',
    noSearch: 'there is no search here, so nothing was looked up',
    judged: 'gone through; the judgement itself needs a model',
    /** The date in digits is what the booking reads. */
    day: (day: Day) => `${spoken(day)} (${iso(day)}) as a proposal; nobody’s calendar was checked`,
    ordered: (id: string | null) =>
      `a rehearsal does nothing outside this thread, so it is on the to-do list${id === null ? '' : ` as ${id}`}`,
    notOrdered: 'a rehearsal does nothing outside this thread, and there is no to-do list here',
    orderFailed: 'it could not be put on the to-do list',
    noted: (ids: readonly string[]) => (ids.length === 0 ? 'noted' : `noted as ${list(ids)}`),
    notedSome: (ids: readonly string[], failed: number) =>
      `${ids.length === 0 ? 'none' : list(ids)} noted, ${number(failed)} could not be noted`,
    noTodos: 'there is no to-do list here',
    nothingToNote: 'nothing was named to note',
    shown: 'done; the answer is above',
    showFailed: 'the to-do list did not answer as hoped (above)',
    text: 'gone through; the text itself needs a model',
    thought: 'gone through',
    kept: 'kept in mind',
    stuck: 'left undone, because too much failed in a row',
  },

  report: {
    nothing: 'There was nothing to plan in this request.',
    intro: (done: number, total: number) =>
      done === total
        ? total === 1
          ? 'The one step is done:'
          : total === 2
            ? 'Both steps are done:'
            : `All ${number(total)} steps are done:`
        : `${capitalised(number(done))} of ${number(total)} steps are done:`,
    todos: 'Put on the to-do list',
    step: (item: string, outcome: string) => (outcome === '' ? item : `${item}: ${outcome}`),
    todo: (text: string, due: string | null) => (due === null ? text : `${text}, due ${due}`),
    failed: (text: string, reason: string) => `Not noted: ${text} (${reason})`,
    found: (query: string, result: string) => `“${query}”: ${result}`,
    search: 'What the search said',
    noAnswer: (reason: string) => `Nothing came back: ${reason}`,
    said: 'What people said',
    answered: (name: string, question: string, text: string) => `${name} answered “${question}” with “${text}”.`,
    added: (name: string, text: string) => `${name} added: “${text}”.`,
    open: 'Left open',
    rehearsal:
      'This was a rehearsal: it shows how Clew plans, asks and works, without a model behind it. Connect one by setting `OPENAI_API_KEY` to get real answers.',
  },

  reply: {
    greeting:
      'Hello! I’m Clew. Give me something to do, for example “Compare the three venues and book a date for the offsite”: I plan it here, work step by step, ask when something is unclear, and report. I keep a to-do list too (`/todo`).',
    about:
      'I’m Clew. I take work on in a thread: I make a plan, work through it step by step, ask when something is unclear, take in what you write meanwhile, and report. I keep to-dos (`/todo`), search the web when a search is set up, and lose nothing when I’m restarted.',
    thanks: 'You’re welcome.',
    acknowledged: 'All right. Tell me when there is something to do.',
    statement:
      'I’ve read it. Tell me what to do with it, for example “Summarise it in two sentences” or “Add it to my to-dos”.',
    unclear:
      'I’m not sure what to do with that. Say it as something to do, for example “Find three hotels in Rome” or “List my open to-dos”.',
    going: (title: string) => `“${title}” is already under way; you’ll find its result here when it is done.`,
    onlyTalk: 'I can only talk here at the moment: taking work on is switched off.',
    cannot: 'I can’t take work on here at the moment; the kinds of work that are allowed don’t include this one.',
    rehearsal:
      'This is a rehearsal: no model is connected, so I follow simple rules. Set `OPENAI_API_KEY` to get real answers.',
  },

  withRehearsal: (text: string): string => `${text} ${words.reply.rehearsal}`,
  title: (text: string) => capitalised(shorten(trimEnd(text), 80)),
  wait(seconds: number): string {
    const [count, unit] =
      seconds % 3600 === 0
        ? [seconds / 3600, 'hour']
        : seconds % 60 === 0
          ? [seconds / 60, 'minute']
          : [seconds, 'second']
    return `Wait ${count} ${unit}${count === 1 ? '' : 's'}`
  },
  reminder: (what: string) => `Reminder: ${shorten(trimEnd(what), 60)}`,
  reason: {
    smallTalk: 'Small talk or a question about Clew.',
    statement: 'Nothing to do in the message.',
    work: 'The message asks for work.',
    wait: 'The message asks to wait.',
    going: 'The same run is still going.',
    notOffered: 'The run type is not offered.',
  },
}

const which = (phrase: string): string =>
  trimEnd(
    phrase.replace(/^(?:the|this|that|these|those|both|our|my|a|an)\s+/i, (word) => (/both/i.test(word) ? 'two ' : '')),
  )
const list = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
const spoken = (day: Day): string => `${weekdays[day.weekday] ?? ''} ${day.day} ${months[day.month - 1] ?? ''}`

const iso = ({ year, month, day }: Day): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

export type Words = typeof words
