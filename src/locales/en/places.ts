/** Texts of the page under “Set up”. */
export const setup = {
  title: 'Set up',
  lead: 'What is connected, what is missing, and what to put into the file .env. Secrets are neither shown nor asked for here.',
  again: 'Check again',
  looking: 'Checking everything that is connected …',
  lookedAt: (time: string) => `Checked at ${time}.`,
  sum: (bad: number, notes: number) => {
    if (bad + notes === 0) return 'Everything is in order.'
    const fix = bad === 0 ? '' : `To fix: ${bad}. `
    return notes === 0 ? fix.trim() : `${fix}Worth knowing: ${notes}.`
  },
  parts: {
    model: 'Model',
    search: 'Search',
    store: 'Store',
    settings: 'Settings',
    team: 'Folders, servers and programs',
  },
  verdicts: { good: 'Good', note: 'Worth knowing', bad: 'To fix' },
  nothing: 'Not set up.',
  env: 'For .env, with your own value after each “=”:',
  envWhole: 'For .env:',
  manual: 'In the manual',
  restart: '“Check again” already tests your changes in .env. Clew uses them once you restart it.',
  manualTitle: 'Manual',
  backToSetup: 'Back to Set up',
}

/** Texts of the page's calendar. */
export const calendar = {
  title: 'Calendar',
  month: 'Month',
  before: 'Previous month',
  after: 'Next month',
  today: 'Today',
  none: 'Nothing this month.',
  more: (count: number) => `${count} more`,
  loadMore: 'Load more schedules',
  zone: (zone: string) => `Times are in ${zone} time.`,
  turn: (hours: string, isForward: boolean, zone: string) =>
    `Clocks go ${isForward ? 'forward' : 'back'} by ${hours} h (${zone})`,
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  many: (count: number | null) => (count === null ? 'more than 25×' : `${count}×`),
  reminder: 'Reminder',
  due: (time: string) => `due ${time}`,
  states: {
    planned: 'planned',
    paused: 'paused: will be skipped',
    running: 'working',
    waiting: 'waiting for an answer',
    failed: 'failed',
    canceled: 'stopped',
    given_up: 'given up',
    ran: 'done',
    late: 'done late',
    missed: 'missed',
    skipped: 'skipped',
    reminded: 'reminded',
  },
  toThread: 'Open its thread',
  gone: 'Its thread was deleted',
  chosen: (title: string) => `About “${title}”`,
  kept: 'Clew keeps the last 200 runs of each schedule.',
}
