/** Texts of `/signins`. Times are passed as people read them, addresses and typed words as code. */
export const signIns = {
  summary: 'where Clew works with your sign-in, and how to sign out',
  usageNotes:
    'Clew asks you to sign in the first time that you want something from such a service. Signing out revokes its token and forgets it.',
  onlyPeople: 'Only people can look at sign-ins or end them.',
  title: '**Signed in**',
  none: 'Clew keeps no sign-in of yours.',
  row: (server: string, url: string, since: string, isShared: boolean) =>
    `**${server}**${isShared ? ', for everybody' : ''}: ${url}, since ${since}. To sign out: \`/signins out ${server}\`.`,
  unknown: (server: string) =>
    `You have no sign-in at ${server}. \`/signins list\` shows those that you have.`,
  out: (server: string, isShared: boolean) =>
    isShared
      ? `Signed out of **${server}** for everybody. Its token is revoked and forgotten.`
      : `Signed out of **${server}**. Your token is revoked and forgotten; next time Clew asks you to sign in.`,
}
