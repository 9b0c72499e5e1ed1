/** True if quotes or a scheme name were copied along with a token. */
export const isWrapped = (token: string) =>
  /^["'“”‘’`]|["'“”‘’`]$/.test(token) || /^(?:bot|bearer)\s/i.test(token)

/** Token without the quotes and the scheme name around it. */
export const unwrapped = (token: string) =>
  token.replace(/^["'“”‘’`]?(?:(?:bot|bearer)\s+)?["'“”‘’`]?|["'“”‘’`]$/gi, '')
