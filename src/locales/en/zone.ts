/** Name of a time zone for people, from its IANA name: `Berlin`. */
export const zoneName = (zone: string): string =>
  (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
