/** Texts of the page about the record of what Clew did. */
export const auditPage = {
  title: 'Record',
  lead: 'What Clew did outside and what people changed of what it keeps, newest first. It is a record, not proof: the manual says against whom it helps.',
  person: 'Person',
  everybody: 'Everybody',
  thread: 'Thread',
  everywhere: 'All threads',
  none: 'Nothing is recorded.',
  noneFound: 'Nothing is recorded for this filter, among the newest entries that were looked at.',
  download: 'Download all',
  open: 'Open the thread',
}
