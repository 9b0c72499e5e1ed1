import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingsOf } from '../src/compose/settings.ts'
import { ConfigError, readConfig, settingNames, usesRehearsal } from '../src/config.ts'

function problemsOf(env: Record<string, string>, fromFile: string[] = []): readonly string[] {
  try {
    readConfig(env, fromFile)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('settings', () => {
  it('need nothing at all: the embedded store and the rehearsal stand in', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      AGENT_MAX_STEPS: 100,
      AGENT_LOOP_ENABLED: true,
    })
    expect(usesRehearsal(config)).toBe(true)
  })

  it('give a round of calls 60 seconds unless somebody says otherwise (R65)', () => {
    expect(settingsOf(readConfig({})).limits.maxRoundMs).toBe(60_000)
    expect(settingsOf(readConfig({ AGENT_ROUND_SECONDS: '5' })).limits.maxRoundMs).toBe(5_000)
  })

  it('have a price for cached input beside the other two, and one for every model that is set where cost has a ceiling (C130)', () => {
    expect(readConfig({ MODEL_PRICES: 'a=0.25/2/0.025, b=1/3' }).MODEL_PRICES).toEqual({
      a: { prompt: 0.25, completion: 2, cached: 0.025 },
      b: { prompt: 1, completion: 3 },
    })
    const env = {
      AGENT_MODELS: 'a, anthropic:b, c',
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      AGENT_COST_PER_MONTH: '9',
    }
    expect(problemsOf({ ...env, MODEL_PRICES: 'a=1/2,b=1/2' })).toEqual([
      'AGENT_COST_PER_MONTH: MODEL_PRICES has no price of c',
    ])
    expect(
      problemsOf({ ...env, AGENT_DECISION_MODEL: 'd', MODEL_PRICES: 'a=1/2,b=1/2,c=1/2' }),
    ).toEqual(['AGENT_COST_PER_MONTH: MODEL_PRICES has no price of d'])
    const alone = {
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'e',
      AGENT_DECISION_MODEL: 'a',
      AGENT_MAX_COST: '1',
    }
    expect(problemsOf({ ...alone, MODEL_PRICES: 'a=1/2' })).toEqual([
      'AGENT_MAX_COST: MODEL_PRICES has no price of e',
    ])
    expect(problemsOf({ ...env, MODEL_PRICES: 'a=1/2/3/4' })[0]).toContain(
      'gpt-5-mini=0.25/2/0.025',
    )
  })

  it('say for each channel what Clew answers (C154)', () => {
    const { AGENT_ANSWERS_TO: read } = readConfig({ AGENT_ANSWERS_TO: 'auto, C123=mention' })
    expect(read).toEqual({ usual: 'auto', channels: { C123: 'mention' } })
    expect(problemsOf({ AGENT_ANSWERS_TO: 'C123=mention' })[0]).toContain(
      'such as auto,C123=mention',
    )
  })

  it('name every bad value at once and say what would be right', () => {
    expect(
      problemsOf({
        PORT: 'many',
        AGENT_MAX_STEPS: '0',
        LOG_LEVEL: 'loud',
        DEFAULT_TIME_ZONE: 'Lisbon',
      }),
    ).toMatchInlineSnapshot(`
      [
        "PORT: "many" is not a whole number",
        "LOG_LEVEL: "loud" is none of debug, info, warn, error, silent",
        "DEFAULT_TIME_ZONE: "Lisbon" is not a time zone such as Europe/Lisbon",
        "AGENT_MAX_STEPS: "0" is less than 1",
      ]
    `)
  })

  it.each(['0', '65', '2.5', '-1', 'all', 'Auto', '1e1'])('refuse %s workers (C588)', (WORKERS) => {
    expect(problemsOf({ WORKERS })).toEqual([
      `WORKERS: "${WORKERS}" is neither a number of workers from 1 to 64 nor auto`,
    ])
  })

  it('take a number of workers or auto, with the role that they need and as many sockets as Slack has (C588)', () => {
    expect(['1', '64', 'auto', ''].map((WORKERS) => readConfig({ WORKERS }).WORKERS)).toEqual([
      ...[1, 64, 'auto', undefined],
    ])
    expect(problemsOf({ WORKERS: '2', ROLES: 'web' })).toEqual([
      'WORKERS: ROLES has no worker, so there is nothing for workers to do',
    ])
    const slack = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }
    expect(problemsOf({ ...slack, WORKERS: '8' })).toEqual([])
    expect(problemsOf({ ...slack, WORKERS: '9' })).toEqual([
      'WORKERS: with SLACK_APP_TOKEN at most 8, as Slack lets an app have ten connections',
    ])
  })

  it('name what is no setting: in .env every one, in the environment those that can only be meant for Clew', () => {
    expect(problemsOf({ AGENT_MAX_STEP: '3', HOME: '/root' })).toEqual([
      'AGENT_MAX_STEP is not a setting; did you mean AGENT_MAX_STEPS? .env.example has all of them',
    ])
    expect(problemsOf({ PROT: '3' }, ['PROT'])).toEqual([
      expect.stringContaining('did you mean PORT?'),
    ])
  })

  it("name what is nearly a setting in the environment, and leave alone what is another program's (C66)", () => {
    expect(problemsOf({ OPENAI_API_KYE: 'canary' })).toEqual([
      expect.stringContaining('did you mean OPENAI_API_KEY?'),
    ])
    expect(problemsOf({ REDIS_ULR: 'canary', WEB_TOKNE: 'x' }).join()).toMatch(
      /REDIS_URL.*WEB_TOKEN/,
    )
    expect(problemsOf({ OPENAI_API_KYE: 'canary' }).join()).not.toContain('canary')
    expect(problemsOf({ OPENAI_KEY: 'canary' })).toEqual([
      expect.stringContaining('did you mean OPENAI_API_KEY?'),
    ])
    expect(problemsOf({ OPENAI_KEY: 'canary' }, ['OPENAI_KEY'])).toEqual([
      expect.stringContaining('did you mean OPENAI_API_KEY?'),
    ])
    expect(problemsOf({ DATADIR: '/x', MISTRAL_KEY: 'canary' }).join()).toMatch(
      /DATA_DIR.*MISTRAL_API_KEY/,
    )
    // Somebody has decided: the right one is there, if only as a blank.
    expect(problemsOf({ OPENAI_API_KEYS: 'a,b', OPENAI_API_KEY: '' })).toEqual([])
    const foreign =
      'HOSTNAME HOSTTYPE LOGNAME LOG_FILE PATH PORTS ROLE OPENAI_ORG_ID OPENAI_ORGANIZATION OPENAI_PROJECT OPENAI_API_BASE OPENAI_API_TYPE OPENAI_API_VERSION OPENAI_LOG REDIS_HOST REDIS_PORT REDIS_TLS_URL REDIS_PASSWORD REDIS_SERVICE_HOST DATABASE_URL XDG_DATA_DIRS XDG_DATA_HOME DATA_HOME WEB_CONCURRENCY DEFAULT_LANG DEFAULT_REGION ALLOWED_HOSTS WORKDIR NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS HTTP_PROXY LANGUAGE LC_ALL TZ GITHUB_TOKEN BRAVE_PATH ENCRYPTION_KEYFILE'
    const env = Object.fromEntries(foreign.split(' ').map((name) => [name, 'x']))
    expect(problemsOf(env)).toEqual([])
  })

  it('refuse an address that is none, and know this machine by all of its own (C66)', () => {
    expect(problemsOf({ HOST: '127.0.0.999' })).toEqual([
      'HOST: "127.0.0.999" is no address such as 127.0.0.1',
    ])
    expect(problemsOf({ HOST: '127.0.0.2' })).toEqual([])
  })

  it('never show the value of a secret (S7)', () => {
    expect(problemsOf({ WEB_TOKEN: 'canary' }).join()).not.toContain('canary')
    for (const name of [
      'OPENAI_BASE_URL',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ])
      expect(problemsOf({ [name]: 'canary' }).join()).toMatch(/^(?!.*canary).*is not a/)
  })

  it('refuse an open address without a token', () => {
    expect(problemsOf({ HOST: '0.0.0.0' })[0]).toContain('WEB_TOKEN')
    expect(problemsOf({ HOST: '0.0.0.0', WEB_TOKEN: 'long enough' })).toEqual([])
  })

  it('refuse a search provider that lacks what it needs', () => {
    expect(problemsOf({ SEARCH_PROVIDER: 'brave' })).toEqual([
      'SEARCH_PROVIDER: brave needs BRAVE_API_KEY',
    ])
  })

  it('know reply-only by the spelling of the first design too (C114, R117)', () => {
    for (const mode of ['reply-only', 'reply_only'])
      expect(readConfig({ AGENT_DECISION_FALLBACK_MODE: mode }).AGENT_DECISION_FALLBACK_MODE).toBe(
        'reply_only',
      )
    expect(() => readConfig({ AGENT_DECISION_FALLBACK_MODE: 'reply' })).toThrow()
  })

  it('know the Decision and its run types (R117)', () => {
    const config = readConfig({
      AGENT_LOOP_ENABLED: 'false',
      AGENT_DECISION_MODEL: 'small',
      AGENT_ALLOWED_RUN_TYPES: 'sleep',
      AGENT_DECISION_TIMEOUT_SECONDS: '5',
      AGENT_DECISION_FALLBACK_MODE: 'reply_only',
    })
    expect(config).toMatchObject({
      AGENT_LOOP_ENABLED: false,
      AGENT_DECISION_MODEL: 'small',
      AGENT_ALLOWED_RUN_TYPES: ['sleep'],
      AGENT_DECISION_TIMEOUT_SECONDS: 5,
      AGENT_DECISION_FALLBACK_MODE: 'reply_only',
    })
  })

  it('rehearse when nobody set up a model, or when asked to', () => {
    expect(usesRehearsal(readConfig({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'rehearsal' }))).toBe(
      true,
    )
    expect(usesRehearsal(readConfig({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'gpt' }))).toBe(false)
  })

  it('rehearse for nobody who asks in a workspace: they hear that no model is connected (R44)', () => {
    expect(usesRehearsal(readConfig({ DISCORD_TOKEN: 'a token' }))).toBe(false)
    expect(usesRehearsal(readConfig({ DISCORD_TOKEN: 'a token', OPENAI_MODEL: 'rehearsal' }))).toBe(
      true,
    )
  })

  it('read a share of the shards, and name one that cannot be', () => {
    expect(readConfig({ DISCORD_SHARDS: '1/3' }).DISCORD_SHARDS).toEqual({ index: 1, of: 3 })
    for (const wrong of ['2/2', '1', 'all'])
      expect(problemsOf({ DISCORD_SHARDS: wrong })[0]).toContain('DISCORD_SHARDS')
  })

  it('know the folder, the times and the retries of a coding agent (R140, C38)', () => {
    expect(readConfig({})).toMatchObject({
      CODING_POLL_MS: 5_000,
      CODING_TIMEOUT_SECONDS: 600,
      CODING_MAX_RETRIES: 3,
    })
    expect(readConfig({}).CODING_FOLDER).toBe(undefined)
    expect(readConfig({}).CODING_MAX_FAILED_STEPS).toBe(3)
    expect(problemsOf({ CODING_POLL_MS: '0' })[0]).toContain('CODING_POLL_MS')
  })

  it('stand below the words that are about them, the hard ceilings too (C114)', () => {
    const ceilings = readFileSync('.env.example', 'utf8')
      .split('\n# Hard ceilings')[1]
      ?.split('\n# Messages')[0]
    expect(ceilings).toContain('# AGENT_MAX_MINUTES=60')
  })

  it('have one line each in .env.example, with the default that the code has', () => {
    const lines = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=(.*)$/gm)
    const documented = [...lines].map(([, name = '', value = '']) => ({ name, value }))
    expect(documented.map(({ name }) => name).sort()).toEqual([...settingNames].sort())
    const given = documented.filter(({ value }) => value !== '')
    expect(readConfig(Object.fromEntries(given.map(({ name, value }) => [name, value])))).toEqual(
      readConfig({}),
    )
  })

  it('read a table of prices, and name one that cannot be read', () => {
    expect(
      readConfig({ MODEL_PRICES: 'gpt-5-mini=0.25/2, qwen/qwen3:8b=0/0' }).MODEL_PRICES,
    ).toEqual({
      'gpt-5-mini': { prompt: 0.25, completion: 2 },
      'qwen/qwen3:8b': { prompt: 0, completion: 0 },
    })
    expect(problemsOf({ MODEL_PRICES: 'gpt-5-mini' })[0]).toContain('MODEL_PRICES')
    expect(problemsOf({ AGENT_MAX_COST: '1' })).toEqual(['AGENT_MAX_COST: needs MODEL_PRICES'])
  })
})
