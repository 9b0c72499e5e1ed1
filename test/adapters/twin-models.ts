import { acts, closes, createFakeModel, decides, ends, plans } from '../fakes/model.ts'

/*
 * Models that a suite of Slack and its twin of Discord share. What a test wants of one, and what the
 * model came to read, stand in one object that both hold.
 */

/** Model whose task calls `message` once with `next`, and reports `Over <count>:` with what came of it. */
export const createElsewhereModel = () => createCallingModel('message')

/** The same for another tool; `offered` are the names that it was offered last. */
export function createCallingModel(tool: string) {
  const call = { next: '', seen: '', count: 0, offered: [] as string[] }
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision') return decides.run('Say it elsewhere')
    if (contract === 'plan') return plans('Say it')
    if (contract !== 'thought') return ends(`Over ${call.count}: ${call.seen}`)
    if ('tools' in input) call.offered = input.tools.map(({ name }) => name)
    const [first] = 'observations' in input ? input.observations : []
    if (first === undefined) return acts(call.next, tool)
    call.seen = first.result
    return closes('Said')
  })
  return { model, call }
}

/**
 * Model that looks at what is handed over: it reads `link` where there is one, notes a to-do where
 * it is asked to, and else answers. `asked` is what it was asked of messages.
 */
export function createHandedOverModel() {
  const reading = { link: '', seen: '' }
  const asked: object[] = []
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    if (contract === 'decision') {
      asked.push(input)
      if (reading.link !== '') return decides.run('Read it')
      return 'message' in input && input.message.includes('note it')
        ? decides.run('Note it')
        : decides.reply('I looked at it.')
    }
    if (contract === 'plan') return plans('It')
    if (contract !== 'thought') return ends('It is done.')
    const [first] = 'observations' in input ? input.observations : []
    if (first === undefined)
      return reading.link === '' ? acts('add Book the room') : acts(reading.link, 'read_thread')
    reading.seen = first.result
    return closes()
  })
  return { model, reading, asked }
}

/** Model whose task lists what is remembered and shows one of it. `asked` is all that it was asked. */
export function createRememberingModel() {
  const asked: string[] = []
  const model = createFakeModel()
  model.answer(({ contract, input }) => {
    asked.push(JSON.stringify(input))
    if (contract === 'decision') return decides.run('Look it up')
    if (contract === 'plan') return plans('Look')
    if (contract !== 'thought') return ends('It is done.')
    const seen = 'observations' in input ? input.observations.length : 0
    return [acts('list', 'memory'), acts('show me-1', 'memory'), closes('ok')][seen]
  })
  return { model, asked }
}
