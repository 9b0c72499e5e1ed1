/** What the API says about costs and health. */
export const health = {
  ownSchedules: (name: string) => `Own schedules of ${name}`,
  unnamed: 'without a name',
  page: 'Clew’s page',
  parts: { store: 'Store', queue: 'Queue', outbox: 'Outbox', aside: 'Set aside', model: 'Model', budget: 'Budget' },
  channelNames: { web: 'Page', slack: 'Slack', discord: 'Discord' } as Record<string, string>,
  store: {
    well: 'What is to be kept is kept.',
    trouble: 'It takes no writes.',
    mend: 'Look whether it runs and has room. Nothing that was acknowledged is lost, and Clew goes on by itself when it is back.',
  },
  queue: {
    idle: 'Nothing waits to be worked on.',
    waits: (count: number, time: string) => `${count} wait to be worked on, the first for ${time}.`,
    late: 'More is asked for than is worked on: raise AGENT_RUNS_AT_ONCE, or start another process with ROLES=worker.',
    trouble: 'It does not answer.',
    mend: 'Work goes on without it, only later: a sweep finds what is due. Look at the Redis under REDIS_URL.',
  },
  outbox: {
    idle: 'Everything has been delivered.',
    waits: (count: number, time: string) => `${count} wait to be delivered, the oldest for ${time}.`,
    late: 'They are sent as soon as their platform takes them. If a channel below is in trouble, begin there.',
    failed: (count: number) => `${count} could not be delivered.`,
    mend: 'They are listed below, each with what to do.',
  },
  aside: {
    text: (count: number) => `${count} rows could not be read or worked on and were set aside.`,
    mend: 'Their threads were told. See “What was set aside” in docs/operations.md.',
  },
  channel: {
    well: (last: string | null) =>
      last === null
        ? 'Connected. Nothing was taken in or shown since the start.'
        : `Connected. It took something in or showed something ${last}.`,
    trouble: 'Not connected.',
    mend: 'Check its token and the way to the platform. What is to be said there waits and is sent afterwards.',
  },
  model: {
    rehearsal: 'No model is connected; Clew plays its rehearsal.',
    none: 'No model is connected; only commands work.',
    connect: 'Set OPENAI_API_KEY in .env, or OPENAI_BASE_URL for a compatible endpoint, and start Clew again.',
    quiet: (name: string) => `${name} has not been asked yet.`,
    answered: (name: string, when: string) => `${name} answered ${when}.`,
    failed: (name: string, when: string, why: string) => `${name} failed ${when}. ${why}`,
    until: (time: string) => `Nothing is sent to it before ${time}; work waits until then and goes on by itself.`,
    mend: 'If it does not pass, the line in the log names the setting to change.',
  },
  budget: {
    none: 'No limit for a day or month is set.',
    set: 'To set one: AGENT_TOKENS_PER_DAY or AGENT_COST_PER_DAY in .env, or the same for a person, a channel or a month.',
    used: (percent: number, what: string, again: string) =>
      `${percent} % of ${what} is used. It begins anew at ${again}.`,
    over: (setting: string) =>
      `Tasks that it concerns pause until then. To let them go on, raise ${setting} in .env and start Clew again.`,
    near: (setting: string) => `At 100 % tasks pause. If that is too early, raise ${setting} in .env.`,
    /** What somebody may use, or everybody together. */
    today: (who: string | null) => `what ${who ?? 'everybody together'} may use today`,
    thisMonth: (who: string | null) => `what ${who ?? 'everybody together'} may use this month`,
  },
}
