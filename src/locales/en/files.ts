/** How what people attach stands before a model, and why a document could not be read. */
export const files = {
  heading: (name: string) => `File ${name}:`,
  image: (name: string) => `Image ${name}, as the model sees it:`,
  tooLarge: (name: string, megabytes: number) => `File ${name}: not read, it is larger than ${megabytes} MB.`,
  unreadable: (name: string, type: string) => `File ${name}: not read, ${type} is not a kind that I can read.`,
  attached: (name: string) => `File ${name}`,
  noText: (name: string) => `File ${name}: there is no text in it, only pictures or nothing.`,
  failed: (name: string, platform: string) => `File ${name}: it could not be fetched from ${platform}.`,
  cut: 'The rest is left out.',
  /** `what` begins the sentence. */
  problems: {
    too_slow: (what: string) => `${what} could not be read within 5 seconds.`,
    too_big: (what: string) => `${what} could not be read: it needs more memory than reading it may take.`,
    unreadable: (what: string) =>
      `${what} could not be read: it is damaged, locked with a password, or not what it says it is.`,
    busy: (what: string) => `${what} was not read: too many other documents are waiting. Try again in a minute.`,
    not_started: (what: string) =>
      `${what} could not be read: the program that reads documents does not start. The operator finds the reason in the log.`,
    stopped: (what: string) => `${what} was not read: reading it was stopped.`,
  },
}
