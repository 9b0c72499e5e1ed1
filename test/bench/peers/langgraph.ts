import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import {
  Command,
  END,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { contend, folder, url } from './contender.ts'
import { answer, askTool, report, system, tools } from './script.ts'

/*
 * LangGraph's graph of a model and its tools, with its checkpointer for SQLite. That one is written for better-sqlite3, which has
 * to be compiled; Node's own SQLite stands in for it, with the same settings, and counts.
 */

const stored = { statements: 0, bytes: 0 }
function count(values: Values): SQLInputValue[] {
  stored.statements += 1
  for (const value of values)
    stored.bytes +=
      typeof value === 'string' || value instanceof Uint8Array ? Buffer.byteLength(value) : 8
  return values.map((value) => value ?? null)
}

const file = new DatabaseSync(`${folder}/langgraph.sqlite`)
// As better-sqlite3 has it with a write-ahead log: like Redis's `everysec`, a crash of the machine may take the last writes.
file.exec('PRAGMA synchronous = NORMAL')
const exec = (sql: string) => {
  count([])
  file.exec(sql)
}
type Values = (SQLInputValue | undefined)[]
const database = {
  exec,
  pragma: (text: string) => exec(`PRAGMA ${text}`),
  prepare(sql: string) {
    const statement = file.prepare(sql)
    return {
      run: (...values: Values) => statement.run(...count(values)),
      get: (...values: Values) => statement.get(...count(values)),
    }
  },
  transaction: (work: (rows: unknown) => void) => (rows: unknown) => {
    exec('BEGIN')
    work(rows)
    exec('COMMIT')
  },
}

const schema = z.object({ input: z.string() })
const known = [
  ...tools.map(({ name, description, run }) =>
    tool(async ({ input }: z.infer<typeof schema>) => run(input), { name, description, schema }),
  ),
  tool(async ({ input }: z.infer<typeof schema>) => interrupt<string, string>(input), {
    ...askTool,
    schema,
  }),
]
const model = new ChatOpenAI({
  model: 'bench',
  apiKey: 'none',
  configuration: { baseURL: url },
}).bindTools(known)

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', new ToolNode(known))
  .addEdge(START, 'model')
  .addConditionalEdges('model', toolsCondition, ['tools', END])
  .addEdge('tools', 'model')
  .compile({
    checkpointer: new SqliteSaver(
      database as unknown as ConstructorParameters<typeof SqliteSaver>[0],
    ),
  })

contend(async (id, goal) => {
  // `sync`: each step is stored before the next begins, as with the others.
  const config = {
    configurable: { thread_id: id },
    durability: 'sync' as const,
    recursionLimit: 50,
  }
  await graph.invoke({ messages: [new SystemMessage(system), new HumanMessage(goal)] }, config)
  const { messages } = await graph.invoke(new Command({ resume: answer }), config)
  if (messages.at(-1)?.content !== report)
    throw new Error(`LangGraph ended with ${messages.at(-1)?.content}`)
}, stored)
