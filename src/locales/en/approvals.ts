/** Texts of `/approvals`. Times are passed as people read them. */
export const approvals = {
  summary: 'what you’ve approved for good in this channel, and how to end it',
  usageNotes:
    'Press “Always here” under an approval, or write “yes, until Friday”, and I won’t ask again for exactly that: the same tool and arguments, in the same channel, when the same person asks.',
  onlyPeople: 'Only people can look at approvals or end them.',
  title: '**Approved for good in this channel**',
  none: 'Nothing is approved for good in this channel.',
  past: '**Ended**',
  covers: (tool: string, asker: string, until: string | null) =>
    `**${tool}** with exactly this, in this channel, when ${asker} asks for it${until === null ? '' : `, until ${until}`}:`,
  by: (name: string) => `(approved by ${name})`,
  used: (times: number): string => {
    if (times === 0) return 'Not used yet.'
    return times === 1 ? 'Used once.' : `Used ${times} times.`
  },
  endedBy: (name: string, at: string) => `ended by ${name}, ${at}`,
  ranOut: (at: string) => `ran out, ${at}`,
  unknown: (number: number) =>
    `There is no approval #${number} of yours in this channel that could be ended. \`/approvals list\` shows them.`,
  revoked: (number: number, tool: string) =>
    `Ended. I’ll ask again before I use **${tool}** that way (#${number}).`,
  /** Line in the thread after one was given. */
  kept: (what: string, number: number) =>
    `From now on I won’t ask again for this. ${what}\n\nTo end it: \`/approvals revoke ${number}\`.`,
}
