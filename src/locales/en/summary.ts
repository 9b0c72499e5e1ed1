/** What a summary of a thread says. */
export const summary = {
  open: 'Open points',
  nothing: 'Nothing has been said in this thread that could be summed up.',
  wrote: (name: string, count: number) => `${name} wrote ${count}`,
  digest: (count: number, from: string, until: string, people: readonly string[]) =>
    `${count} ${count === 1 ? 'message' : 'messages'} between ${from} and ${until}: ${people.join(', ')}. No model was there to say what they came to.`,
}
