import { describe, expect, it } from 'vitest'
import { functionNames, readPage, toolList } from '../../../src/adapters/mcp/listed.ts'

const good = { name: 'good', inputSchema: { type: 'object', properties: {} } }
const inputs = (schema: unknown) => ({ name: 'odd', inputSchema: schema })

describe('an entry of a list', () => {
  const plain = { type: 'object', properties: {} }
  const read: [string, object, object][] = [
    ['null description', { name: 'odd', description: null, inputSchema: plain }, {}],
    ['null annotations', { ...good, name: 'odd', annotations: null, title: null }, {}],
    ['null hint', { ...good, name: 'odd', annotations: { readOnlyHint: null } }, {}],
    ['null output schema', { ...good, name: 'odd', outputSchema: null }, {}],
    ['list of annotations', { ...good, name: 'odd', annotations: [] }, {}],
    ['null input schema', inputs(null), { schema: plain }],
    ['no input schema', { name: 'odd' }, { schema: plain }],
    ['schema without a type', inputs({ $schema: 'x' }), { schema: { ...plain, $schema: 'x' } }],
    ['null type', inputs({ type: null }), { schema: plain }],
    ['types in a list', inputs({ type: ['object', 'null'] }), { schema: plain }],
    ['null required', inputs({ ...plain, required: null }), { schema: plain }],
    ['required as a truth value', inputs({ ...plain, required: true }), { schema: plain }],
    ['null properties', inputs({ type: 'object', properties: null }), { schema: plain }],
    ['properties as PHP has none', inputs({ type: 'object', properties: [] }), { schema: plain }],
    [
      'null deep inside',
      inputs({ properties: { a: { type: 'object', properties: [], description: null }, b: null } }),
      { schema: { type: 'object', properties: { a: { type: 'object' } } } },
    ],
    [
      'null as a value',
      inputs({ properties: { a: { enum: ['x', null], default: null } } }),
      { schema: { type: 'object', properties: { a: { enum: ['x', null], default: null } } } },
    ],
    [
      'types of other languages (C994)',
      inputs({
        properties: { a: { type: 'str' }, b: { type: 'STRING' }, type: { type: ['any'] } },
      }),
      { schema: { type: 'object', properties: { a: {}, b: { type: 'string' }, type: {} } } },
    ],
    [
      'list without items (C994)',
      inputs({ properties: { a: { type: 'array' }, b: { type: 'array', items: plain } } }),
      {
        schema: {
          type: 'object',
          properties: { a: { type: 'array', items: {} }, b: { type: 'array', items: plain } },
        },
      },
    ],
    ['title instead of a description', { ...good, name: 'odd', title: 'T' }, { description: 'T' }],
  ]
  it.each(read)('is read, and so is the one beside it: %s (C365)', (_, entry, expected) => {
    const page = readPage(toolList, { tools: [good, entry] })
    expect(page).toMatchObject({ odd: [], next: null })
    expect(page.entries).toMatchObject([{ name: 'good' }, { name: 'odd', ...expected }])
  })

  const lost: [string, unknown, string][] = [
    ['null', null, 'entry 2 of its list is no tool with a name'],
    ['text', 'odd', 'entry 2 of its list is no tool with a name'],
    ['no name', { inputSchema: {} }, 'entry 2 of its list is no tool with a name'],
    ['blank name', { ...good, name: ' ' }, 'entry 2 of its list is no tool with a name'],
    ['number as a name', { ...good, name: 7 }, 'entry 2 of its list is no tool with a name'],
    ['schema in a text', inputs('object'), 'odd: its input schema is not one of an object'],
    [
      'schema of a text',
      inputs({ type: 'string' }),
      'odd: its input schema is not one of an object',
    ],
    ['list as a schema', inputs([]), 'odd: its input schema is not one of an object'],
  ]
  it.each(lost)('that cannot be read costs itself and is named: %s (C365)', (_, entry, odd) => {
    const page = readPage(toolList, { tools: [good, entry] })
    expect(page.entries.map(({ name }) => name)).toEqual(['good'])
    expect(page.odd).toEqual([odd])
  })
})

describe('a page of a list', () => {
  it.each([
    ['null', null, null],
    ['an empty text', '', null],
    ['a number', 2, '2'],
    ['a text', 'b', 'b'],
  ])('goes on where its cursor says so: %s', (_, nextCursor, next) => {
    expect(readPage(toolList, { tools: [good], nextCursor })).toMatchObject({
      next,
      entries: [{ name: 'good' }],
    })
  })

  it.each([
    ['null', null, [], []],
    ['tools by name', { a: good }, ['good'], []],
    ['a text', 'none', [], ['a page of its list holds no list of tools']],
  ])('is read whatever its list is: %s', (_, tools, names, odd) => {
    const page = readPage(toolList, { tools })
    expect([page.entries.map(({ name }) => name), page.odd]).toEqual([names, odd])
  })
})

describe('names of functions', () => {
  it.each([
    [['item.get', 'item_get']],
    [['read file', 'read/file', 'read_file']],
    [['a.b', 'a/b']],
    [['查询', '删除', 'a-b', 'a b']],
    [['x'.repeat(80), `${'x'.repeat(80)}y`]],
  ])('differ where %j would fold into one (C368)', (tools) => {
    const names = [...functionNames('own', tools).values()]
    expect(new Set(names).size).toBe(tools.length)
    for (const name of names) expect(name).toMatch(/^own__[A-Za-z0-9_-]{1,59}$/)
    expect([...functionNames('own', tools.toReversed()).values()].toReversed()).toEqual(names)
  })

  it('stay plain where nothing folds, and for the one that needed no folding', () => {
    const names = functionNames('own', ['item.get', 'item_get', 'list.all'])
    expect(names.get('item_get')).toBe('own__item_get')
    expect(names.get('list.all')).toBe('own__list_all')
    expect(names.get('item.get')).toMatch(/^own__item_get_[0-9a-f]{8}$/)
  })
})
