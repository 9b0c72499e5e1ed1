/** Report of a quiet schedule's run if there is nothing that people should hear of (F13). */
const nothing = 'NOTHING_TO_REPORT'
const rule = `(If it turns out that there is nothing that people should hear of, the whole final report is the one word ${nothing}. Then nobody is told.)`

export const quietGoal = (title: string): string => `${title}\n\n${rule}`

/** The goal as the person put it. */
export const plainGoal = (goal: string): string => goal.replace(rule, '').trim()

export const isNothing = (report: string): boolean => report.replace(/\W+/g, '') === nothing
