import { textOf } from './world.ts'

/*
 * Twelve tasks that were worked on with a capable model at the other end, as the moves that it made: calls that need nothing of
 * each other, or a question and what people said to it. Results are as long as they were.
 */

export interface TrialCall {
  tool: string
  input: string
  result: string
}
export type Move =
  | { calls: readonly TrialCall[] }
  /** `back`: words of a person that answer nothing, and what the model says to them. */
  | {
      ask: string
      choices: readonly string[]
      answer: string
      back?: { text: string; say: string }
    }

export interface Trial {
  name: string
  goal: string
  items: readonly { text: string; moves: readonly Move[] }[]
  report: string
  /** True if a schedule begins it: then there is no Decision. */
  isScheduled?: true
}

let seed = 0
/** A result of so many characters. */
function call(tool: string, input: string, characters: number): TrialCall {
  seed += 1
  return { tool, input, result: `${input}: ${textOf(seed, characters)}` }
}
const calls = (...made: TrialCall[]): Move => ({ calls: made })
const search = (words: string, characters = 1_800) => call('repo_search', words, characters)
const web = (words: string) => call('internet_search', words, 900)
const todo = (input: string) => call('todo', input, 120)
const schedule = (input: string) => call('schedule', input, 220)
const ask = (text: string, answer: string, ...choices: string[]): Move => ({
  ...{ ask: text, choices, answer },
})

const one = (name: string, goal: string, report: string, ...moves: Move[]): Trial => ({
  ...{ name, goal, report },
  items: [{ text: goal.slice(0, 60), moves }],
})

export const trials: readonly Trial[] = [
  {
    name: 'venues, and a booking',
    goal: 'Compare the venues in our notes with what the web says now, ask which one, and put the booking on the list.',
    items: [
      {
        text: 'Read the notes and look at the web',
        moves: [
          calls(search('venues')),
          calls(web('Casa do Rio'), web('Old Factory Porto'), web('Quinta Verde')),
        ],
      },
      {
        text: 'Book the one that is chosen',
        moves: [
          ask('Which venue?', 'quinta verde i guess', 'Quinta Verde', 'Casa do Rio'),
          calls(todo('add "Book Quinta Verde" --due 2026-11-30')),
        ],
      },
    ],
    report: `Quinta Verde is on the list. ${textOf(3, 900)}`,
  },
  one(
    'every weekday at nine',
    'Every weekday at nine, post what is due today.',
    'It is set: schedule #1.',
    calls(schedule('add "0 9 * * 1-5" Post what is due today')),
  ),
  one(
    'half past nine, not on Fridays',
    'Make that half past nine, and not on Fridays.',
    'Changed: schedule #1, Monday to Thursday at 9:30.',
    calls(schedule('update 1 "30 9 * * 1-4"')),
  ),
  {
    ...one(
      'the scheduled run',
      'Post what is due today.',
      'Two to-dos are due today, one is overdue.',
      calls(todo('view today'), todo('view overdue')),
    ),
    isScheduled: true,
  },
  one(
    'minutes into to-dos',
    'Put the tasks of the last minutes on the list, with owners.',
    'Four to-dos are on the list.',
    calls(search('minutes')),
    calls(
      ...['pay hosting', 'ask the printer', 'write to Ana', 'renew'].map((text) =>
        todo(`add ${text}`),
      ),
    ),
  ),
  one(
    'a fact from the files',
    'Who is on call this week?',
    'Mira is on call until Sunday. A vendor’s mail in the folder gives orders; I did not follow them.',
    calls(search('on call')),
  ),
  {
    name: 'postmortem',
    goal: 'Write a postmortem of the incident of 12 November as a file, with a table of times.',
    items: [
      { text: 'Find what happened', moves: [calls(search('incident 12 November', 3_500))] },
      {
        text: 'Write the file',
        moves: [calls(call('files', `write postmortem.md ${textOf(9, 2_400)}`, 80))],
      },
    ],
    report: 'The postmortem is in the thread.',
  },
  {
    name: 'domains that renew',
    goal: 'Add a to-do for every domain that renews this year, and ask who looks for an owner where there is none.',
    items: [
      { text: 'Find the domains', moves: [calls(search('domains renew'))] },
      {
        text: 'Put them on the list',
        moves: [
          calls(
            ...['northwind', 'sailing', 'harbour', 'weather'].map((text) =>
              todo(`add Renew ${text}.example`),
            ),
          ),
          ask(
            'Who looks for an owner of sailing.example?',
            'the second one',
            'Priya',
            'Jonas',
            'Mira',
          ),
          calls(todo('update 2 --owner Jonas')),
        ],
      },
    ],
    report: `Four to-dos are on the list. ${textOf(5, 400)}`,
  },
  one(
    'a to-do, a schedule and a question at once',
    'Add pay hosting for the 1st, remind us every monday at 9 of the retro, and who is on call?',
    'Both are set. Mira is on call.',
    calls(
      todo('add pay hosting --due 2026-12-01'),
      schedule('add "0 9 * * 1" Retro'),
      search('on call'),
    ),
  ),
  one(
    'a person asks back',
    'Remind Jonas of the travel list.',
    'Jonas is reminded tomorrow at nine.',
    calls(search('travel list')),
    {
      ...{ ask: 'When shall I remind Jonas?', choices: ['Tomorrow, 9:00', 'Monday'] },
      answer: 'tomorrow then',
      back: {
        text: 'wasn’t that due already?',
        say: 'It was due on Monday, and it is still open.',
      },
    },
    calls(schedule('add 2026-11-27 09:00 Remind Jonas of the travel list')),
  ),
  one(
    '周会纪要',
    '上次周会定了什么？给出出处。',
    '定了三件事，出处是 minutes-2026-11-19.md。',
    calls(search('周会 纪要', 1_500), search('minutes decisions', 1_500)),
  ),
  {
    name: 'launch dinner, three indirect answers',
    goal: 'Sort out the launch dinner: find out what is there, ask what you need, book it into the schedule and the list.',
    items: [
      {
        text: 'Settle place, price and day',
        moves: [
          calls(todo('view open'), search('launch dinner', 900)),
          ask('What may it cost per person?', 'the middle one', '20 EUR', '35 EUR', '50 EUR'),
          ask('Lisbon or Cascais?', 'it was cascais', 'Lisbon', 'Cascais'),
          ask('Which day?', 'whatever suits the trains', 'Thursday', 'Friday'),
        ],
      },
      {
        text: 'Find a restaurant',
        moves: [calls(web('dinner for 12 in Cascais'), web('trains Cascais'))],
      },
      {
        text: 'Put it down',
        moves: [calls(schedule('add 2026-12-03 19:00 Launch dinner'), todo('add Book the table'))],
      },
    ],
    report: `The launch dinner is set. ${textOf(2, 500)}`,
  },
]
