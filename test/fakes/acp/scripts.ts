import { appendFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { methods } from '@agentclientprotocol/sdk'
import type { Turn } from './agent.ts'

const { fs, session, elicitation } = methods.client

/** A loose agent rejects for good or not at all. */
const rejection = process.argv.includes('--loose') ? 'reject_always' : 'reject_once'

/** What the agent does, by a title in its task. */
export const scripts: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
  'Mend add()': mend,
  'Name the package': nameIt,
  'Look around': lookAround,
  'Ask whether': askWhether,
  'Change one line of many': changeOneLine,
  'Say more than asked': sayMore,
  'Take for ever': takeForEver,
  'Fall over': async ({ say }) => {
    await say('Oh.')
    process.stderr.write('out of memory\n')
    process.exit(3)
  },
  'Wait once': async (turn) => {
    turn.log(`waits ${turn.text.includes('You were interrupted')}`)
    if (!turn.text.includes('You were interrupted')) {
      appendFileSync(join(turn.cwd, 'half.txt'), 'half\n')
      await doing(turn, 'Waiting')
      await new Promise(() => {})
    }
    appendFileSync(join(turn.cwd, 'half.txt'), 'whole\n')
    await turn.say('Both halves are there.')
  },
}

const doing = (turn: Turn, title: string) =>
  turn.update({ sessionUpdate: 'tool_call', toolCallId: title, title, kind: 'execute' })

/** Terminal of the client: answers its output. */
async function command(
  { client, sessionId }: Turn,
  command: string,
  args: string[],
): Promise<{ output: string; code: number | null | undefined }> {
  await using terminal = await client.createTerminal({ sessionId, command, args })
  const { exitCode } = await terminal.waitForExit()
  const { output } = await terminal.currentOutput()
  return { output, code: exitCode }
}

async function mend(turn: Turn): Promise<void> {
  const { client, sessionId, cwd, update, say } = turn
  const plan = (...done: boolean[]) =>
    update({
      sessionUpdate: 'plan',
      entries: ['Read it', 'Write it'].map((content, at) => ({
        content,
        priority: 'medium' as const,
        status: done[at] ? ('completed' as const) : ('pending' as const),
      })),
    })
  await plan(false, false)
  const path = join(cwd, 'src/add.js')
  const { content: oldText } = await client.request(fs.readTextFile, { sessionId, path })
  const newText = oldText.replace('a - b', 'a + b')
  await plan(true, false)
  const diff = { type: 'diff' as const, path, oldText, newText }
  const call = { toolCallId: 'edit', title: 'Edit src/add.js', kind: 'edit' as const }
  await update({ sessionUpdate: 'tool_call', ...call, content: [diff] })
  const { outcome } = await client.request(session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 'edit' },
    options: [
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: rejection },
    ],
  })
  const chosen = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
  turn.log(`permission ${chosen}`)
  if (chosen !== 'once') return await say(`I may not (${chosen}).`)
  await client.request(fs.writeTextFile, { sessionId, path, content: newText })
  const { output } = await command(turn, 'node', [
    '-e',
    "import('./src/add.js').then((m) => console.log('1 + 2 =', m.add(1, 2)))",
  ])
  await plan(true, true)
  await say(`add() adds: ${output.trim()}.`)
}

async function nameIt(turn: Turn): Promise<void> {
  const { client, sessionId, cwd, say } = turn
  const answer = await client.request(elicitation.create, {
    sessionId,
    mode: 'form',
    message: 'What should the package be called?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  })
  turn.log(`elicited ${JSON.stringify(answer)}`)
  if (answer.action !== 'accept' || !('content' in answer)) return await say('It has no name.')
  const { name } = answer.content as { name: string }
  const content = `${JSON.stringify({ type: 'module', name })}\n`
  await client.request(fs.writeTextFile, { sessionId, path: join(cwd, 'package.json'), content })
  await command(turn, 'git', ['commit', '-qam', 'chore: name the package'])
  await say(`---\nstatus: SUCCESS\n---\n\n## 核心成果\n\nIt is called ${name}.`)
}

async function askWhether({ client, sessionId, log }: Turn): Promise<void> {
  const answer = await client.request(elicitation.create, {
    sessionId,
    mode: 'form',
    message: 'Is it for Node alone?',
    requestedSchema: { type: 'object', properties: { node: { type: 'boolean' } } },
  })
  log(`elicited ${JSON.stringify(answer)}`)
}

/** Asks for leave as agents do that name a file by its whole path, several times. */
async function changeOneLine({ client, sessionId, cwd, log }: Turn): Promise<void> {
  const path = join(cwd, 'src/long.js')
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  const text = (line: string) => `${lines.with(20, line).join('\n')}\n`
  const { outcome } = await client.request(session.requestPermission, {
    sessionId,
    toolCall: {
      toolCallId: 'long',
      title: path,
      kind: 'edit',
      locations: [{ path }],
      rawInput: { filepath: path, replaceAll: true, newString: 'line twenty', call_id: 'x1' },
      content: [{ type: 'diff', path, oldText: text('line 20'), newText: text('line twenty') }],
    },
    options: [
      { optionId: 'no', name: 'No', kind: 'reject_once' },
      { optionId: 'once', name: 'Once', kind: 'allow_once' },
    ],
  })
  log(`permission ${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}`)
}

/** Says things of its own before its task, and updates that nobody knows. */
async function sayMore({ update }: Turn): Promise<void> {
  const chunk = (messageId: string | null, text: string) =>
    update({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } })
  await chunk(null, 'Model metadata not found.')
  await update({ sessionUpdate: 'of_tomorrow', what: 1 } as never)
  await update({ sessionUpdate: 'plan', entries: [] })
  await chunk('m1', 'I look')
  await chunk('m1', ' at it.')
  await chunk('m2', 'It is done.')
}

/** Tries to leave its checkout in every way that the client offers. */
async function lookAround(turn: Turn): Promise<void> {
  const { client, sessionId, cwd, say } = turn
  symlinkSync('/etc', join(cwd, 'elsewhere'))
  symlinkSync('/nowhere/at/all', join(cwd, 'dangling'))
  const tries: [string, () => Promise<unknown>][] = [
    ...['/etc/hostname', '../outside', 'elsewhere/hostname', '.git/config'].map(
      (path): [string, () => Promise<unknown>] => [
        `read ${path}`,
        () =>
          client.request(fs.readTextFile, {
            sessionId,
            path: join(path[0] === '/' ? '' : cwd, path),
          }),
      ],
    ),
    ...['/tmp/planted', 'elsewhere/planted', 'dangling', '.git/hooks/post-commit'].map(
      (path): [string, () => Promise<unknown>] => [
        `write ${path}`,
        () =>
          client.request(fs.writeTextFile, {
            sessionId,
            path: join(path[0] === '/' ? '' : cwd, path),
            content: 'x',
          }),
      ],
    ),
    [
      'terminal in /etc',
      () => client.createTerminal({ sessionId, command: 'ls', args: [], cwd: '/etc' }),
    ],
  ]
  for (const [what, attempt] of tries)
    turn.log(
      `${what}: ${await attempt().then(
        () => 'DONE',
        (error) => `refused (${error.code})`,
      )}`,
    )
  await say('I looked around.')
}

/** A child of its own, and a turn that only a cancel ends. */
async function takeForEver(turn: Turn): Promise<void> {
  const { client, sessionId, canceled } = turn
  await client.createTerminal({ sessionId, command: 'echo $$ > pid; sleep 1000', args: [] })
  await doing(turn, 'Thinking hard')
  await new Promise<void>((resolve) => {
    if (canceled.aborted) resolve()
    else canceled.addEventListener('abort', () => resolve())
  })
}
