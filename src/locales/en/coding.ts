/** What people read of a mission that a coding agent works on. */
export const coding = {
  verdict: {
    next: (step: number, total: number, title: string, evidence: string) =>
      `✔ Step ${step} of ${total}, “${title}”: done. ${evidence}`,
    retry: (step: number, total: number, title: string, evidence: string) =>
      `↻ Step ${step} of ${total}, “${title}”: not there yet. ${evidence}`,
    replan: (step: number, total: number, title: string, evidence: string) =>
      `⇄ Step ${step} of ${total}, “${title}”: the plan has to change. ${evidence}`,
    abort: (step: number, total: number, title: string, evidence: string) =>
      `✖ Step ${step} of ${total}, “${title}”: the mission stops here. ${evidence}`,
  },
  stuck: (step: string, why: string | null) =>
    `“${step}” has failed and I cannot get further by myself${why === null ? '' : ` (${why})`}. Skip it, stop, or tell me what to do instead?`,
  stuckChoices: ['Skip this step', 'Stop the mission'],
  /** Answers that mean one of the two; any other words are what to do instead (F32). */
  stuckWords: { skip: ['skip', 'skip it'], stop: ['abort', 'give up'] },
}
