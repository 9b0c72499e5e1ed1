import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examine } from '../../scripts/doctor.ts'
import { createRunTypes } from '../../src/agent/drive/run-types.ts'
import { readConnectors } from '../../src/compose/connectors.ts'
import { ConfigError } from '../../src/config.ts'
import { connectorsFile } from './support.ts'

const variable = (name: string) => `\${${name}}`
const secret = 'a-secret-of-twenty-four-characters'

function read(content: unknown, env: Record<string, string> = {}) {
  const path = join(mkdtempSync(join(tmpdir(), 'clew-connectors-')), 'connectors.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return readConnectors(path, createRunTypes(), env)
}

function problemsOf(content: unknown): string {
  try {
    read(content)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n')
    throw error
  }
  return ''
}

describe('the file of the connectors', () => {
  it('takes secrets from the environment, and gives each connector little (C120, S20)', () => {
    const connectors = {
      ci: { secret: variable('CI_SECRET'), channels: ['slack:T024BE7LD/C061EG9SL'] },
      desk: { secret },
    }
    expect(read({ connectors }, { CI_SECRET: 'x'.repeat(24) }).connectors).toEqual([
      {
        secret: 'x'.repeat(24),
        connector: {
          name: 'ci',
          runTypes: ['agent_task'],
          channels: [{ workspace: 'slack:T024BE7LD', channel: 'C061EG9SL' }],
        },
      },
      { secret, connector: { name: 'desk', runTypes: ['agent_task'], channels: [] } },
    ])
  })

  it('names sources of events, each with its places (S67)', () => {
    const hooks = { github: { from: 'github', secret, channels: ['slack:T1/C1'] } }
    expect(read({ hooks }).hooks).toEqual([
      {
        ...{ from: 'github', secret },
        source: {
          name: 'github',
          channels: [{ workspace: 'slack:T1', channel: 'C1' }],
          perMinute: 30,
        },
      },
    ])
    const faults = {
      'Git Hub': { from: 'github', secret, channels: ['slack:T1/C1'] },
      one: { from: 'toString', secret, channels: ['slack:T1/C1'] },
      two: { from: 'hmac', secret: 'short', channels: [], perMinute: 0 },
    }
    const said = problemsOf({ hooks: faults })
    expect(said).toContain('hooks.Git Hub: is not lower-case letters')
    expect(said).toContain('hooks.one.from: is none of github, gitlab, stripe')
    expect(said).toContain('hooks.two.secret: is shorter than 24 characters')
    expect(said).toContain('hooks.two.channels: names no place')
    expect(said).toContain('hooks.two.perMinute')
    expect(said).not.toContain(secret)
  })

  it('is looked at by the doctor (S20)', async () => {
    const path = await connectorsFile()
    const lines = async (file: string) =>
      (await examine({ CONNECTORS_FILE: file }, [])).map(({ line }) => line)
    expect(await lines(path)).toContain('CONNECTORS_FILE: ci, desk can start work.')
    expect(await lines(`${path}.gone`)).toContain(
      `CONNECTORS_FILE: ${path}.gone: cannot be read as JSON`,
    )
  })

  it('ends the start where it cannot be used: every mistake is named, and no secret (S20, S7, C66)', () => {
    const wrong = {
      'No Name': { secret },
      short: { secret: 'canary-short' },
      place: { secret: `${secret}1`, channels: ['C061EG9SL'] },
      field: { secret: `${secret}2`, colour: 'red' },
    }
    const said = problemsOf({ connectors: wrong })
    expect(said).toMatch(/connectors\.No Name: .*lower-case/)
    expect(said).toContain('connectors.short.secret: is shorter than 24 characters')
    expect(said).toContain(
      'connectors.place.channels.0: is no place such as slack:T024BE7LD/C061EG9SL',
    )
    expect(said).toMatch(/connectors\.field: .*colour/)
    expect(said).not.toMatch(/canary|a-secret/)
    expect(problemsOf('{')).toContain('cannot be read as JSON')
    expect(problemsOf({ connectors: { ci: { secret: variable('NOWHERE') } } })).toContain(
      'needs the environment variables NOWHERE',
    )
    expect(problemsOf({ connectors: { ci: { secret, runTypes: ['dance'] } } })).toContain(
      'no run type "dance"',
    )
    expect(problemsOf({ connectors: { one: { secret }, two: { secret } } })).toContain(
      "two.secret is another connector's",
    )
  })
})
