import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acts, asks, closes, decides, ends, plans, replans, task } from '../fakes/model.ts'
import { held, value } from '../fakes/openai/replies.ts'
import { type FakeOpenAi, startOpenAi } from '../fakes/openai/server.ts'

/*
 * The task that every picture shows: a scripted model of the quality of a real one works on it, with the real tools and a
 * search engine that knows three venues.
 */

export const request =
  'Find a venue in Lisbon for our offsite on 18 and 19 March, 24 people, and tell us which one to book'
const title = 'Venue for the offsite in March'

const venues = 'Find venues that seat 24 and are free on both days'
const dayPrices = 'Compare what the venues cost for two days'
const beds = 'Find beds for 24 in or near each venue'
const allPrices = 'Compare the whole cost with one night'
const recommend = 'Recommend one and put the booking on the to-do list'

export const overnight = 'Yes, one night'
const booking = 'Book Casa do Rio for 18 and 19 March'

/** What a person reads when the work is done. Its numbers are those that the search engine knows. */
const report = `**Book Casa do Rio.** With one night it costs the least, and everybody sleeps in the house.

| Venue | Seats | Room, 2 days | 24 beds | Total |
|---|---:|---:|---:|---:|
| Casa do Rio | 30 | €1,200 | €1,920 | €3,120 |
| The Old Factory | 60 | €900 | €2,640 | €3,540 |
| Hotel Atlântico | 45 | €1,900 | €2,160 | €4,060 |

- The Old Factory has no beds; Hotel Graça is 400 m away.
- Casa do Rio holds rooms for 14 days without payment. Booking it is to-do #1.
- These are the prices on the venues’ pages; I have not written to anyone.

Sources: [Casa do Rio](https://casadorio.example/rooms), [Hotel Atlântico](https://atlantico.example/groups), [The Old Factory](https://oldfactory.example/rooms), [Hotel Graça](https://graca.example/groups)`

const pages = [
  {
    about: 'venue',
    hits: [
      ['Casa do Rio', 'casadorio.example/meetings', 'Seats 30. €600 a day. Free 16 to 20 March.'],
      ['Hotel Atlântico', 'atlantico.example/events', 'Seats 45. €950 a day. Free 17 to 19 March.'],
      [
        'The Old Factory',
        'oldfactory.example/rooms',
        'Seats 60. €450 a day, no beds. Free all March.',
      ],
    ],
  },
  {
    about: 'beds',
    hits: [
      [
        'Casa do Rio',
        'casadorio.example/rooms',
        '€80 a bed for groups. Rooms are held for 14 days without payment.',
      ],
      ['Hotel Atlântico', 'atlantico.example/groups', '€90 a bed for groups of 20 and more.'],
      ['Hotel Graça', 'graca.example/groups', '€110 a bed for groups; 400 m from The Old Factory.'],
    ],
  },
] as const

export interface Story {
  /** What Clew is started with to live it. */
  settings: Record<string, string>
  model: FakeOpenAi
  /** Lets the model go on after the answer has changed the plan. */
  goOn(): void
  /** Throws unless the model was asked exactly what the story holds. */
  assertTold(): void
  stop(): Promise<void>
}

/** What a schedule is for, and how the model does it. */
export const daily = 'Post what is due today'
export function scriptDaily(model: FakeOpenAi): void {
  model.on('plan', value(plans('Look at the to-dos of today')))
  model.on('thought', value(acts('list --view today', 'todo')), value(closes('One is due.')))
  model.on('replan', value(ends('Due today: #2 Send the invoice (18:00).')))
}

/** Starts the model and the search engine of the story, on loopback ports. */
export async function startStory(): Promise<Story> {
  const model = await startOpenAi()
  const search = await startSearch()
  const afterChange = held(
    value(acts('hotel beds for groups near Lisbon venues', 'internet_search', beds)),
  )
  const both = decides.both('I am on it, and will ask here before I assume anything.', request)
  model.on('decision', value({ ...both, run: task(request, title) }))
  model.on('plan', value(plans(venues, dayPrices, recommend)))
  model.on(
    'thought',
    value(
      acts('meeting venue Lisbon 24 people 18 19 March price a day', 'internet_search', venues),
    ),
    value(
      closes(
        'Three venues seat 24 and are free: Casa do Rio, Hotel Atlântico and The Old Factory.',
      ),
    ),
    value(
      asks('Does everybody stay overnight between the two days?', [overnight, 'No, only the days']),
    ),
    afterChange,
    value(
      closes('Casa do Rio €80 a bed, Hotel Atlântico €90, Hotel Graça near The Old Factory €110.'),
    ),
    value(closes('In all: Casa do Rio €3,120, The Old Factory €3,540, Hotel Atlântico €4,060.')),
    value(acts(`add ${booking} --tag offsite`, 'todo', recommend)),
    value(closes('Casa do Rio is the one to book; it is to-do #1.')),
  )
  model.on(
    'replan',
    value(replans(dayPrices, recommend)),
    value(replans(beds, allPrices, recommend)),
    value(replans(allPrices, recommend)),
    value(replans(recommend)),
    value(ends(report)),
  )
  return {
    model,
    settings: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'scripted',
      AGENT_REPLAN_SKIPS: '0',
      AGENT_STRATEGY: 'step',
      SEARCH_PROVIDER: 'searxng',
      SEARXNG_URL: search.url,
      LINK_HOSTS: 'casadorio.example,oldfactory.example,atlantico.example,graca.example',
    },
    goOn: afterChange.release,
    assertTold: model.assertDone,
    async stop() {
      search.stop()
      await model.close()
    },
  }
}

/** A search engine that knows the pages of the story, by what is looked for. */
async function startSearch() {
  const search = createServer((asked, response) => {
    const query = new URL(asked.url ?? '', 'http://search').searchParams.get('q') ?? ''
    const hits = pages.find(({ about }) => query.includes(about))?.hits ?? []
    const results = hits.map(([title, address, content]) => ({
      title,
      url: `https://${address}`,
      content,
    }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
  })
  await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', resolve))
  const { port } = search.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => search.close() }
}
