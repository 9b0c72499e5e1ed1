/** Names of the message shortcuts, in the manifest and in what comes in. */
export const shortcuts = { open: 'clew_open_task', stop: 'clew_stop' } as const
