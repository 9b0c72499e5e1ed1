import type { Section } from '../section.ts'
import { compare, playInSlack } from '../slack.ts'
import { crashOnTheWay } from './on-the-way.ts'

export const slack: Section = (soak) =>
  crashOnTheWay(soak, { platform: 'Slack', play: playInSlack, compare })
