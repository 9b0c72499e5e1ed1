import { describe, expect, it } from 'vitest'
import { resultOf } from '../../../src/adapters/mcp/result.ts'
import { readableMessage } from '../../../src/adapters/mcp/wire.ts'
import { fitted } from '../../../src/agent/domain/fit.ts'

const fine = { type: 'text', text: 'fine 42' }

describe('a result of a call', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['json part', { content: [{ type: 'json', json: { answer: 42 } }] }, '{"json":{"answer":42}}'],
    ['part of no type', { content: [{ text: 'plain' }, fine] }, 'plain\nfine 42'],
    ['null text', { content: [{ type: 'text', text: null }, fine] }, 'fine 42'],
    ['number as text', { content: [{ type: 'text', text: 42 }] }, '42'],
    ['object as text', { content: [{ type: 'text', text: { a: 1 } }] }, '{"a":1}'],
    ['null part', { content: [null, fine] }, 'fine 42'],
    ['text as a part', { content: ['one', fine] }, 'one\nfine 42'],
    ['text as content', { content: 'plain 42' }, 'plain 42'],
    ['one part as content', { content: fine }, 'fine 42'],
    ['null content', { content: null, structuredContent: { answer: 42 } }, '{"answer":42}'],
    ['null structure', { content: [fine], structuredContent: null }, 'fine 42'],
    ['list as structure', { content: [], structuredContent: [1, 2] }, '[1,2]'],
    ['null annotations', { content: [{ ...fine, annotations: null }], _meta: null }, 'fine 42'],
    ['no content', { result: 'plain 42' }, '{"result":"plain 42"}'],
    ['nothing at all', {}, '(no output)'],
    [
      'resource without a name',
      { content: [{ type: 'resource_link', uri: 'a:b', title: 'T' }] },
      '[resource T: a:b]',
    ],
    ['empty resource', { content: [{ type: 'resource', resource: null }, fine] }, 'fine 42'],
  ])('is what could be read of it: %s (C365)', (_, result, text) => {
    expect(resultOf(result, 'desk')).toEqual({ ok: true, text })
  })

  it.each<[unknown, boolean]>([
    [true, false],
    ['true', false],
    [1, false],
    [null, true],
    [false, true],
  ])('that says isError %j is ok: %j, with the words of the server', (isError, ok) => {
    const content = [{ type: 'error', text: 'No such budget' }]
    expect(resultOf({ content, isError }, 'desk')).toEqual({ ok, text: 'No such budget' })
  })

  it.each<[string, object]>([
    ['an address that holds it', { type: 'image', data: 'data:image/png;base64,aGk=' }],
    [
      'a source',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    ],
    ['a field of models', { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
  ])('keeps a picture in %s (C365)', (_, part) => {
    const { text, files } = resultOf({ content: [part] }, 'desk')
    expect(text).toBe('[image, image/png, 3 bytes]')
    expect(files).toEqual([{ name: 'image-1.png', type: 'image/png', base64: 'aGk=' }])
  })

  it('keeps a picture that does not say its kind', () => {
    const { text, files } = resultOf({ content: [fine, { type: 'image', data: 'aGk=' }] }, 'desk')
    expect(text).toBe('fine 42\n[image, application/octet-stream, 3 bytes]')
    expect(files).toMatchObject([{ name: 'image-2.octet', base64: 'aGk=' }])
  })
})

describe('a message', () => {
  const head = { jsonrpc: '2.0', id: 1 }
  const greeted = { protocolVersion: '2025-06-18', capabilities: { tools: {} } }
  it.each<[string, unknown, unknown]>([
    [
      'null meta',
      { ...head, result: { tools: [], _meta: null } },
      { ...head, result: { tools: [] } },
    ],
    ['null error', { ...head, result: { a: 1 }, error: null }, { ...head, result: { a: 1 } }],
    ['null result', { ...head, result: null }, { ...head, result: {} }],
    ['text as result', { ...head, result: 'pong' }, { ...head, result: { content: 'pong' } }],
    ['more members', { ...head, result: {}, took: 5 }, { ...head, result: {} }],
    ['no version', { id: 1, result: {} }, { ...head, result: {} }],
    [
      'text as error',
      { ...head, error: 'no' },
      { ...head, error: { code: -32603, message: 'no' } },
    ],
    [
      'text as code',
      { ...head, error: { code: '-32601', message: 'no' } },
      { ...head, error: { code: -32601, message: 'no' } },
    ],
    [
      'null message',
      { ...head, result: null, error: { code: 5, message: null } },
      { ...head, error: { code: 5, message: '{"code":5,"message":null}' } },
    ],
    [
      'greeting',
      {
        ...head,
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: true },
          serverInfo: null,
          instructions: null,
        },
      },
      { ...head, result: { ...greeted, serverInfo: { name: 'server', version: '0' } } },
    ],
    [
      'null params',
      { method: 'notifications/x', params: null },
      { jsonrpc: '2.0', method: 'notifications/x' },
    ],
    ['line of a log', { level: 'info', msg: 'up' }, { level: 'info', msg: 'up' }],
  ])('is one that the SDK takes: %s (C365)', (_, message, readable) => {
    expect(readableMessage(message)).toEqual(readable)
    expect(readableMessage([message])).toEqual([readable])
  })
})

describe('arguments', () => {
  const of = (properties: object, required: string[] = []) => ({
    type: 'object',
    properties,
    required,
  })
  const optional = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  const rows = { type: 'array', items: of({ id: { type: 'integer' } }) }
  it.each<[string, object, object, object]>([
    ['number', { n: { type: 'number' } }, { n: '10' }, { n: 10 }],
    ['negative number', { n: { type: 'number' } }, { n: ' -1.5 ' }, { n: -1.5 }],
    ['truth value', { b: { type: 'boolean' } }, { b: 'True' }, { b: true }],
    ['object', { o: of({ a: { type: 'number' } }) }, { o: '{"a":"1"}' }, { o: { a: 1 } }],
    ['list', { l: { type: 'array', items: { type: 'string' } } }, { l: '["x"]' }, { l: ['x'] }],
    ['list of objects', { rows }, { rows: '[{"id":"7"}]' }, { rows: [{ id: 7 }] }],
    [
      'null for nothing',
      { n: { type: 'number' }, p: { type: 'string' } },
      { n: null, p: 'x' },
      { p: 'x' },
    ],
    ['null that may be', { n: { type: ['number', 'null'] } }, { n: null }, { n: null }],
    ['one of two', { n: optional }, { n: '5' }, { n: 5 }],
    ['text where one is wanted', { s: { type: 'string' } }, { s: 7 }, { s: '7' }],
    ['text that looks like one', { s: { type: 'string' } }, { s: '10' }, { s: '10' }],
    ['no number', { n: { type: 'number' } }, { n: 'ten' }, { n: 'ten' }],
    ['no whole number', { n: { type: 'integer' } }, { n: '1.5' }, { n: '1.5' }],
  ])('are read as the schema wants them: %s (C367)', (_, properties, given, read) => {
    expect(fitted(given, of(properties))).toEqual(read)
  })

  it('follow the references of a schema, one that leads to itself too', () => {
    const schema = {
      ...of({ first: { $ref: '#/$defs/node' }, away: { $ref: 'https://example.org' } }),
      $defs: {
        node: of({ n: { type: 'number' }, next: { $ref: '#/$defs/node' } }),
        self: { $ref: '#/$defs/self' },
      },
    }
    const given = { first: { n: '1', next: { n: '2' } }, away: '3' }
    expect(fitted(given, schema)).toEqual({ first: { n: 1, next: { n: 2 } }, away: '3' })
    expect(fitted({ a: 1 }, { $ref: '#/$defs/self', $defs: schema.$defs })).toEqual({ a: 1 })
  })

  it('lose no field that is required, and none that the schema does not name', () => {
    expect(fitted({ n: null, x: null }, of({ n: { type: 'number' } }, ['n']))).toEqual({
      n: null,
      x: null,
    })
  })
})
