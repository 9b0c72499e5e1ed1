/** How what people attach stands before a model. */
export const files = {
  heading: (name: string) => `File ${name}:`,
  image: (name: string) => `Image ${name}, as the model sees it:`,
  tooLarge: (name: string, megabytes: number) => `File ${name}: not read, it is larger than ${megabytes} MB.`,
  unreadable: (name: string, type: string) => `File ${name}: not read, ${type} is not a kind that I can read.`,
  failed: (name: string, platform: string) => `File ${name}: it could not be fetched from ${platform}.`,
  cut: 'The rest is left out.',
}
