/** Texts of the API about costs and health. */
export const health = {
  ownSchedules: (name: string) => `${name}’s own schedules`,
  unnamed: 'without a name',
  page: 'Clew’s page',
  parts: {
    store: 'Store',
    queue: 'Queue',
    outbox: 'Outbox',
    aside: 'Set aside',
    model: 'Model',
    budget: 'Budget',
    workers: 'Workers',
  },
  channelNames: { web: 'Clew’s page', slack: 'Slack', discord: 'Discord' } as Record<
    string,
    string
  >,
  store: {
    well: 'Saving works.',
    trouble: 'It cannot save anything.',
    mend: 'Check that it is running and has space. Everything that Clew has confirmed is safe, and it goes on by itself once the store is back.',
  },
  queue: {
    noWorker: 'No worker is running, so tasks are waiting.',
    startWorker: 'Start a process with ROLES=worker. Waiting work then starts by itself.',
    idle: 'Nothing is waiting.',
    waits: (count: number, time: string) => `${count} waiting, the first for ${time}.`,
    late: 'Tasks come in faster than Clew can do them: raise AGENT_RUNS_AT_ONCE, or start another process with ROLES=worker.',
    trouble: 'It does not answer.',
    mend: 'Work continues, with delays. Check the Redis at REDIS_URL.',
  },
  worker: {
    well: (count: number) => (count === 1 ? 'One worker runs.' : `All ${count} workers run.`),
    starting: (number: number) => `Worker ${number} is being started.`,
    silent: (number: number) => `Worker ${number} does not answer.`,
    mend: 'Its work goes to the others, or waits for it. If this lasts, the log says why, in the lines with its number.',
  },
  outbox: {
    idle: 'Everything has been delivered.',
    waits: (count: number, time: string) =>
      `${count} waiting to be delivered, the oldest for ${time}.`,
    late: 'They are sent as soon as their platform accepts them. If a channel below is in trouble, start there.',
    failed: (count: number) => `${count} could not be delivered.`,
    mend: 'They are listed below, each with what to do.',
  },
  aside: {
    text: (count: number) =>
      `Clew couldn’t handle ${count === 1 ? '1 message or task and set it' : `${count} messages or tasks and set them`} aside.`,
    mend: 'It said so in their threads. See “What was set aside” in docs/operations.md.',
  },
  channel: {
    well: (last: string | null) =>
      last === null
        ? 'Connected. It has received and posted nothing since the start.'
        : `Connected. It last received or posted something ${last}.`,
    trouble: 'Not connected.',
    mend: 'Check its token and the network. Messages wait and are sent afterwards.',
  },
  server: {
    name: (name: string) => `Tools: ${name}`,
    well: (tools: number) => `Connected, with ${tools} ${tools === 1 ? 'tool' : 'tools'}.`,
    odd: (lines: string) => `Connected, but Clew couldn’t read part of its tool list: ${lines}.`,
    oddMend: 'Its other tools work. Report this to whoever makes the server.',
    signIn: 'It needs a sign-in (401), so Clew cannot use its tools.',
    signInMend: 'Give it a valid key in the headers of its entry; Clew tries again by itself.',
    trouble: 'Not connected. Clew tries again by itself.',
    mend: 'Correct its entry, or start it by hand.',
  },
  model: {
    rehearsal: 'No model is connected, so Clew only gives prepared example answers.',
    none: 'No model is connected; only commands work.',
    connect:
      'Set OPENAI_API_KEY in .env, or OPENAI_BASE_URL for a compatible endpoint, and start Clew again.',
    quiet: (name: string) => `Clew has not used ${name} yet.`,
    answered: (name: string, when: string) => `${name} answered ${when}.`,
    failed: (name: string, when: string, why: string) => `${name} failed ${when}. ${why}`,
    until: (time: string) =>
      `Nothing is sent to it before ${time}; work waits until then and continues by itself.`,
    mend: 'If this lasts, the log says which setting to change.',
  },
  budget: {
    none: 'No limit for a day or month is set.',
    set: 'To set one: AGENT_TOKENS_PER_DAY or AGENT_COST_PER_DAY in .env, or the same for a person, a channel or a month.',
    over: (setting: string) =>
      `Affected tasks pause until then. To continue sooner, raise ${setting} in .env and start Clew again.`,
    near: (setting: string) =>
      `At 100% tasks pause. If that is too early, raise ${setting} in .env.`,
    /** Share of an allowance; `who` is one payer, or null for the team. */
    today: (who: string | null, percent: number, again: string) =>
      `${who ?? 'The team'} has used ${percent}% of today’s limit. Next reset: ${again}.`,
    thisMonth: (who: string | null, percent: number, again: string) =>
      `${who ?? 'The team'} has used ${percent}% of this month’s limit. Next reset: ${again}.`,
  },
}
