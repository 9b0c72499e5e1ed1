import type { Language } from './language.ts'

export const english: Language = {
  scenarios: [
    {
      has: [/^compare (?:(?:all|the|our|these|those|two|three|four|five|\d) )*venues\b/],
      tag: 'offsite',
      question: { text: 'Which city?', choices: ['Lisbon', 'Berlin', 'Barcelona'] },
      notes: ['Compare the venues', 'Book a date for the offsite'],
    },
    {
      has: [
        /^plan (?:(?:a|the|our|one-week|two-week) )*(?:onboarding|first (?:week|day))\b/,
        /\bnew (?:\w+ )?(?:colleague|hire|joiner|member|employee|intern|designer|developer|engineer|manager)s?\b/,
      ],
      tag: 'onboarding',
      question: {
        text: 'When does it begin?',
        choices: ['Next Monday', 'On the first of the month'],
      },
      notes: ['Set up accounts and a laptop', 'Plan the first week day by day'],
    },
    {
      has: [/^why\b/, /\bsign-?ups\b/, /\b(?:drop|fall|fell|down\b|declin|decreas|fewer|lower)/],
      tag: 'sign-ups',
      question: { text: 'Since when?', choices: ['This week', 'This month', 'This year'] },
      notes: ['Collect the sign-up figures', 'Ask what was changed before they dropped'],
    },
  ],
  connects: {
    has: [
      /slack|discord|model|openai|llm|api key|ollama/,
      /\b(?:connect|set|install|configure|add|get|token|key)/,
    ],
    only: /\b(?:(?:tell|show) me|language model|(?:our|my|the) (?:slack |discord )?(?:workspace|server)|connect|set|up|setup|install|configure|add|get|use|how|where|which|what|please|us|do|does|can|could|should|i|we|you|it|want|need|like|to|is|the|a|an|my|our|own|your|this|with|in|into|on|of|for|from|and|or|clew|slack|discord|openai|llm|ollama|api|local|model|app|bot|token|key)s?\b/g,
  },
  manual: {
    slack:
      'Create an app from `docs/slack-manifest.json` at `api.slack.com/apps`, set `SLACK_APP_TOKEN` and `SLACK_BOT_TOKEN` in `.env`, start Clew again and write `/invite @Clew` in a channel. `npm run doctor` checks it; `docs/slack.md` is the manual.',
    discord:
      'Create an application at `discord.com/developers/applications`, turn its *Message Content Intent* on, set `DISCORD_TOKEN` in `.env` and start Clew again. `npm run doctor` checks it and prints the invite link; `docs/discord.md` is the manual.',
    model:
      'Set `OPENAI_API_KEY` in `.env`, or `OPENAI_BASE_URL` for any compatible endpoint, such as one on this machine, and start Clew again. `OPENAI_MODEL` names the model; `.env.example` lists every setting and `README.md` explains them.',
  },
  greetings: [
    'hi',
    'hello',
    'hey',
    'hello clew',
    'hi clew',
    'help',
    'what can you do',
    'who are you',
  ],
  addTodos:
    /^(?:add|put|note) (.+?) (?:to|on) (?:(?:my|the|our) to-?do(?:s| list)|(?:my|our) list)(?:[.!]?$|,? and )/i,
  separators: /, and |, | and /,
  showTodos: {
    has: [
      /^(?:show|list|what|post|look)\b/,
      /\bto-?(?:dos|do list)\b|\bdue\b|\boverdue\b|\bstill to do\b/,
    ],
    only: /\b(?:show|list|what|post|look|is|are|s|me|us|i|we|my|our|the|all|at|to|of|for|on|in|here|now|still|have|do|dos|todos?|due|overdue|open|today|tomorrow|this|week|that|and|please)\b/g,
  },
  views: { overdue: 'overdue', today: 'today' },
  rule: /^(?:each|every) (?:[\s\d:.,]|(?:each|every|other|first|last|two|three|(?:minute|hour|day|weekday|week|month|year)s?|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|at|on|in|of|the|and|to|half|quarter|past|one|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|am|pm|o[’']clock|please)\b)+/i,
  reminds: /^remind (?:me|us|everybody|everyone|the team)\b(?! (?:what|why|how|who|where|which)\b)/,
  times:
    /\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening)|on the (?:\d|first)|next (?:week|month)|each|every|noon|midnight|in an? |(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:at|in|on) (?:\d|half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))/,
  codes: {
    has: [
      /^(?:fix|implement|refactor|debug)\b/,
      /\(\)|\.[jt]s\b|`|\b(?:code|bug|typo|tests?|function|build)\b/,
    ],
  },
  summarizes: {
    has: [/^(?:summari[sz]e|sum up|recap)\b/, /\bthis (?:thread|conversation|discussion)\b/],
  },
  words: {
    hello:
      'Hello! I’m Clew, and this is a demo without a model: try “Compare the three venues and book a date for the offsite”, “Every weekday at nine, post what is due today” or “Add milk and bread to my to-dos”, or ask how to connect a model, Slack or Discord.',
    needsModel:
      'This needs a language model, and this demo has none: to connect one, set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` for a local model, and start Clew again.',
    look: (tag) => `See which to-dos there are for “${tag}”`,
    show: (view) => (view === 'all' ? 'Look at the to-dos' : `Look at the to-dos: ${view}`),
    put: (note) => `Put “${note}” on the to-do list`,
    schedule: (request) => `Schedule “${request}”`,
    about: (answer) => ` (${answer})`,
    failed: (step, why) => `This did not work: ${step}. ${why}\nHow should I go on?`,
    done: (done, total) => `Steps done: ${done} of ${total}.`,
    leaveOut: 'Without this step',
    notDone: (step, why) => `Not done: ${step}. ${why}`,
    answered: (name, question, answer) => `${name} answered “${question}” with “${answer}”.`,
    added: (name, text) => `${name} added “${text}”.`,
    unanswered: (question) => `Nobody was there to answer “${question}”`,
    begun: 'Nothing is done yet.',
    summary: (count, people) =>
      `This thread has ${count} messages${people.length === 0 ? '' : ` of ${people.join(', ')}`}. This is a demo; what they came to needs a model.`,
    rehearsal:
      'This was a demo: what is above is all that was done, and nothing outside Clew. A model does the work itself; to connect one, set `OPENAI_API_KEY`, or `OPENAI_BASE_URL` for a local one, and start Clew again.',
  },
}
