import { compare, playInDiscord } from '../discord.ts'
import type { Section } from '../section.ts'
import { crashOnTheWay } from './on-the-way.ts'

export const discord: Section = (soak) =>
  crashOnTheWay(soak, { platform: 'Discord', play: playInDiscord, compare })
