/** Clew's own channels by platform; one from outside cannot have one of these names. Each is a role of a process too. */
export const ownPlatforms = ['web', 'slack', 'discord'] as const
export type OwnPlatform = (typeof ownPlatforms)[number]
