/** Texts of the page under “Set up”. */
export const setup = {
  title: 'Set up',
  lead: 'What is connected, what is missing, and what to set. Secrets are never shown.',
  again: 'Check again',
  looking: 'Checking everything that is connected…',
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
  signIns: {
    title: 'Sign-ins for everybody',
    lead: 'What Clew does at these servers, it does for everybody with the account that you sign in with here.',
    isIn: (server: string) => `${server}: signed in.`,
    isOut: (server: string) => `${server}: nobody has signed in yet, so Clew cannot use its tools.`,
    begin: 'Sign in',
    open: 'Open the sign-in page',
    end: 'Sign out',
    impossible: (server: string) =>
      `No sign-in at “${server}” can begin just now. See if the server can be reached, and if WEB_URL is the address of this page.`,
  },
  env: 'For .env, with your own value after each “=”:',
  envWhole: 'For .env:',
  manual: 'In the manual',
  restart: '“Check again” already tests your changes in .env. Clew uses them once you restart it.',
  form: {
    connect: { model: () => 'Connect a model', other: (name: string) => `Connect ${name}` },
    change: { model: () => 'Change the model', other: (name: string) => `Change ${name}` },
    isSet: 'already set; leave empty to keep it',
    isNotSet: 'not set',
    choices: 'Found',
    other: 'Another, by its key or address',
    open: { slack: 'Create the app in Slack', other: 'Open the platform’s page' },
    submit: 'Try it and save',
    skip: 'Skip for now',
    trying: 'Trying it…',
    failed: 'Nothing was saved. Correct it and try again.',
    failedRunning:
      'That did not work, and nothing was saved. What Clew runs with now is unchanged.',
    missing: 'Fill in every field that is not set yet.',
    unclear: 'That is neither an address nor a kind of key that Clew knows.',
    unreadable: (problems: string) =>
      `Some settings cannot be used yet. Fix them first:\n${problems}`,
    written: (names: string) => `It works. Written to .env: ${names}.`,
    before: 'Your old file is now .env.before.',
    overruled: (names: string) =>
      `The environment also sets ${names}, and that wins over .env. Change it there.`,
    notWritten: (why: string, names: string) =>
      `It works, but .env was not changed: ${why}. Set ${names} yourself.`,
    waiting: 'Clew uses what was saved once you restart it.',
    restart: 'Restart Clew now',
    byHand:
      'It takes a few seconds, and nothing is lost. You can also stop Clew where it runs and type `npm start`. Restart its other processes yourself.',
    restarting: 'Clew is starting again…',
    restarted: 'Clew has started again and uses what was saved.',
    notBack: 'Clew isn’t answering yet. Check its log on the machine it runs on.',
    notUsed: (problem: string) =>
      `Clew cannot start with what was saved, so it keeps its old settings: ${problem}`,
    /** Reasons why Set up has no form, with what to do instead. */
    none: {
      setup_elsewhere:
        'There is no form here: settings can only be changed on the machine that runs Clew, without a proxy between, or with its access token. Open this page there, set WEB_TOKEN and sign in with it, or write the lines below into .env there and restart Clew.',
      not_found:
        'There is no form here: a program starts this Clew and gives it its settings. Write the lines below where that program reads them, and restart it.',
    },
  },
  manualTitle: 'Manual and help',
  manualLead:
    'What Clew can do and how to run it. Commands work in every thread: /help lists them.',
  manualSearch: 'Search the manual and all settings',
  manualFound: (count: number) => (count === 1 ? '1 section' : `${count} sections`),
  manualEnglish: 'This page is in English.',
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
  zone: (zone: string) => (zone === 'UTC' ? 'Times are in UTC.' : `Times are in ${zone} time.`),
  turn: (hours: string, isForward: boolean, zone: string) =>
    `Clocks go ${isForward ? 'forward' : 'back'} by ${hours} h (${zone})`,
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  many: (count: number | null) => (count === null ? 'more than 25×' : `${count}×`),
  times: (state: string, count: string) => `${state} ${count}`,
  list: (states: readonly string[]) => states.join(', '),
  reminder: 'Reminder',
  due: (time: string) => `due ${time}`,
  states: {
    planned: 'planned',
    due: 'due',
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
