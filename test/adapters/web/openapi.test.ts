import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, openLab } from '../../schedules/support.ts'
import { requireDescribed } from './described.ts'

let lab: Lab
beforeAll(async () => {
  lab = await openLab({
    start: Date.UTC(2026, 2, 4, 10),
    env: { AGENT_PERSON_MESSAGES_PER_MINUTE: '1' },
  })
})
afterAll(() => lab.stop())

const description = async () =>
  (await lab.get('/api/openapi.json')) as {
    paths: Record<
      string,
      Record<string, { requestBody?: unknown; responses: Record<string, unknown> }>
    >
  }

describe('the description of the API', () => {
  it('describes every route in its OpenAPI document', async () => {
    const { paths } = await description()
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((one) => `${one} ${path}`),
    )
    expect(described).toEqual([
      'post /hooks/{name}',
      'get /healthz',
      'get /readyz',
      'get /api/conversations',
      'post /api/conversations',
      'get /api/conversations/{id}',
      'patch /api/conversations/{id}',
      'delete /api/conversations/{id}',
      'get /api/conversations/{id}/files/{name}',
      'post /api/conversations/{id}/messages',
      'post /api/conversations/{id}/read',
      'patch /api/conversations/{id}/messages/{clientMessageId}',
      'delete /api/conversations/{id}/messages/{clientMessageId}',
      'get /api/conversations/{id}/contents',
      'put /api/uploads/{id}',
      'get /api/uploads/{id}',
      'get /api/commands',
      'get /api/needs-you',
      'post /api/questions/{id}/answer',
      'get /api/session',
      'get /api/runs',
      'post /api/runs',
      'get /api/runs/{id}',
      'get /api/runs/{id}/trace',
      'get /api/runs/{id}/history',
      'get /api/runs/{id}/plan.json',
      'post /api/runs/{id}/plan',
      'post /api/runs/{id}/again',
      'post /api/runs/{id}/cancel',
      'post /api/runs/{id}/retry',
      'post /api/runs/{id}/continue',
      'get /api/feedback',
      'get /api/forecasts',
      'post /api/runs/{id}/feedback',
      'post /api/runs/{id}/keep_test',
      'get /api/privacy/{person}',
      'delete /api/privacy/{person}',
      'get /api/setup',
      'post /api/setup/check',
      'get /api/setup/form',
      'post /api/setup/form/{part}',
      'post /api/setup/restart',
      'get /api/setup/sign-ins',
      'post /api/setup/sign-ins/{server}',
      'delete /api/setup/sign-ins/{server}',
      'get /api/manual',
      'get /api/manual/{name}',
      'get /api/times',
      'get /api/figures',
      'get /api/figures.csv',
      'get /api/health',
      'post /api/deliveries/{id}/again',
      'get /api/audit',
      'get /api/audit/lines',
      'get /api/schedules',
      'post /api/schedules',
      'patch /api/schedules/{id}',
      'delete /api/schedules/{id}',
      'get /api/schedules/{id}/slots',
      'post /api/schedules/{id}/run',
      'post /api/schedules/{id}/dry',
      'get /api/calendar',
      'get /api/todos',
      'post /api/todos',
      'patch /api/todos/{id}',
      'delete /api/todos/{id}',
      'get /api/memory',
      'post /api/memory',
      'get /api/memory/{name}/history',
      'patch /api/memory/{name}',
      ...['accept', 'reject', 'forget', 'archive', 'restore'].map(
        (verb) => `post /api/memory/{name}/${verb}`,
      ),
      'get /api/events',
    ])
  })

  it('names the statuses with which the routes answer', async () => {
    const { paths } = await description()
    const author = { id: 'ana', name: 'Ana' }
    const answers = {
      '/api/conversations': await lab.post('/api/conversations', {}),
      '/api/todos': await lab.post('/api/todos', { text: 'Call Ben', author }),
      '/api/schedules': await lab.post('/api/schedules', {
        when: 'every weekday at 9',
        title: 'call Ben',
        author,
      }),
      '/api/memory': await lab.post('/api/memory', {
        text: 'We meet in Lisbon --scope team',
        author,
      }),
      '/api/schedules/{id}/dry': await lab.post('/api/schedules/1/dry', { author }),
    }
    for (const [path, { status }] of Object.entries(answers)) {
      const post = paths[path]?.post
      expect({ path, described: Object.keys(post?.responses ?? {}) }).toEqual({
        path,
        described: expect.arrayContaining([String(status), '503']),
      })
      expect(status).toBeLessThan(300)
      expect(post?.requestBody).toBeDefined()
    }
  })

  // Each of these answers is held beside the description, as all are that tests ask for.
  it('names what is refused of words, of files and of what somebody else changed', async () => {
    const say = (clientMessageId: string, files: object[] = []) =>
      lab.post('/api/conversations', { text: 'Hello', clientMessageId, files })
    expect((await say('one')).status).toBe(202)
    const seen = { title: 'call Ana', when: { kind: 'once', at: 0 } }
    const refused = {
      too_many_messages: await say('two'),
      unknown_file: await say('three', [{ id: '0'.repeat(32), name: 'notes.txt' }]),
      changed_meanwhile: await lab.post('/api/schedules/1', { title: 'call Eva', seen }, 'PATCH'),
    }
    for (const [code, { body }] of Object.entries(refused))
      expect(body).toMatchObject({ error: { code } })
  })

  it.each([
    [418, {}],
    [409, { error: { code: 'changed_meanwhile' } }],
  ])('is missed where it does not name an answer: %s', (status, body) => {
    const asked = () =>
      requireDescribed('DELETE', 'http://clew.test/api/conversations/one', { status, body })
    expect(asked).toThrow('which its description does not say')
  })
})
