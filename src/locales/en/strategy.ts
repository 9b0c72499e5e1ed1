/** What `/strategy` says. */
export const strategy = {
  summary: 'how tasks of this thread are worked on from now on',
  errors: {
    no_choice: () => 'Which way of working? There are step, batch, free and auto.',
    bad_strategy: (typed: string) => `There is no way of working called ${typed}.`,
  },
  noThread: 'This is not said in a thread, so there is none to settle it for.',
  settled: {
    step: 'Tasks of this thread are worked on step by step from now on.',
    batch: 'Tasks of this thread are worked on in quick rounds from now on.',
    free: 'Tasks of this thread are worked on freely, with a tracked plan, from now on.',
    coding: 'Tasks of this thread are handed to the coding agent from now on.',
    auto: 'For every task of this thread I choose the way of working.',
    default: 'Tasks of this thread are worked on as the setting says again.',
  },
}
