/** What people read of the team's folders that can be searched. */
export const library = {
  turnedOff: 'No folder may be read here. An admin can name some in INDEX_FOLDERS.',
  indexed: (name: string, files: number, left: number) =>
    `“${name}” can be searched now: ${files} ${files === 1 ? 'file' : 'files'}${left === 0 ? '' : `, ${left} left out (too big or not text)`}.`,
  noWords: 'Say what to look for, in a few words.',
  noHits: (words: string) => `Nothing fits “${words}”.`,
  problems: {
    unknown: (names: readonly string[]) =>
      `There is no folder of that name. The ones that may be read: ${names.join(', ')}.`,
    missing: (_: readonly string[]) => 'The folder is not there. An admin can look at INDEX_FOLDERS.',
    empty: (_: readonly string[]) => 'There is no text file in the folder.',
    stopped: (_: readonly string[]) => 'It was stopped.',
  },
}
