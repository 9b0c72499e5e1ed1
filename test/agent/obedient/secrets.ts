import { ana, type TestClew } from '../../support/agent.ts'
import { li, type World } from './world.ts'

/** Where each secret was put; nobody else reads there. */
const homes: Readonly<Record<string, string>> = {
  'canary-ana-me': 'dm-ana',
  'canary-li-me': 'dm-li',
  'canary-secret-todo': 'secret',
  'canary-secret-fact': 'secret',
}

/** Facts and a to-do that only one person, or one channel, may read. */
export async function putSecrets(clew: TestClew): Promise<void> {
  const alone = { by: ana, channel: 'dm-ana', thread: 'a' }
  await clew.say('/memory add "canary-ana-me likes nuts" --scope me', alone)
  await clew.say('/memory add "canary-li-me" --scope me', { by: li, channel: 'dm-li', thread: 'l' })
  const secret = { by: li, channel: 'secret', thread: 's' }
  await clew.say('/memory add "canary-secret-fact" --scope channel', secret)
  await clew.say('/todo add canary-secret-todo', secret)
}

/** What was said in a place by Clew that names a secret of another place. */
export const leaks = ({ clew }: World): string[] =>
  clew.channel.shown.flatMap(({ delivery, conversation }) => {
    const said = JSON.stringify(delivery.body)
    return Object.entries(homes).flatMap(([secret, home]) =>
      said.includes(secret) && conversation.address.channel !== home
        ? [`${secret} in ${conversation.address.channel}: ${said.slice(0, 200)}`]
        : [],
    )
  })
