/** Texts of the page about costs and health. */
export const upkeep = {
  title: 'Costs and health',
  periods: { 7: '7 days', 30: '30 days', 90: '90 days' },
  period: 'Period',
  csv: 'Download as CSV',
  none: 'Nothing has been counted in this period yet. Give Clew a task, and it appears here.',
  noPrices:
    'Costs are not known, because no prices are set. Set MODEL_PRICES in .env, for example MODEL_PRICES=gpt-5.5=1.25/10 (for a million tokens in and out), and start Clew again; from then on they are counted.',
  zone: (zone: string) => `Days end at midnight in ${zone}.`,
  measures: { runs: 'Tasks', time: 'Time', tokens: 'Tokens', cost: 'Cost' },
  ended: ([done, early, failed, stopped]: readonly string[]) =>
    `${done} done, ${early === '0' ? '' : `${early} ended early, `}${failed} failed, ${stopped} stopped`,
  each: (time: string) => `${time} per task, waiting for people included`,
  inAndOut: (read: string, written: string) => `${read} read, ${written} written`,
  perDay: 'By day',
  chart: (measure: string, highest: string) => `${measure} by day; the highest is ${highest}.`,
  asTable: 'The days as a table',
  day: 'Day',
  states: { succeeded: 'Done', failed: 'Failed', canceled: 'Stopped' },
  by: { person: 'People', channel: 'Channels', schedule: 'Schedules', model: 'Models' },
  noneOf: {
    person: 'Nobody yet.',
    channel: 'No channel yet.',
    schedule: 'No schedule ran.',
    model: 'No model was used.',
  },
  name: 'Name',
  more: (count: number) => `${count} more ${count === 1 ? 'is' : 'are'} in the CSV.`,
  forecasts: {
    title: 'Forecasts',
    none: 'No task had a forecast yet. The first comes with the fourth task of a channel, or of a schedule.',
    held: (inside: number, all: number, percent: number) =>
      `${inside} of ${all} tasks took as many calls as was said (${percent} %; the aim is 80 %).`,
  },
  health: 'Health',
  lookAgain: 'Check again',
  levels: { well: 'OK', look: 'look at this', trouble: 'trouble' },
  failed: {
    title: 'Could not be delivered',
    none: 'No failed deliveries.',
    kinds: {
      message: 'Message',
      final: 'Report',
      question: 'Question',
      private: 'Private message',
      other: 'Message',
    },
    why: {
      gone: 'The channel or thread is gone or archived. Bring it back, then send it again; or ask in another place.',
      forbidden:
        'Clew isn’t allowed to write there. Invite it or give it the permission; then send it again.',
      refused: 'The platform refused it. The reason is below; fix that, then send it again.',
      broken: 'Clew failed to send it three times. The log says why; after an update it may work.',
    },
    again: 'Send again',
    states: {
      failed: 'not delivered',
      waiting: 'is being sent',
      sent: 'sent',
      over: 'answered in the meantime',
    },
    thread: 'Open the thread',
    gone: 'The thread was deleted.',
  },
}
