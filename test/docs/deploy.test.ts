import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import clew from '../../package.json' with { type: 'json' }
import { readConfig, settingNames } from '../../src/config.ts'

const read = (path: string) => readFileSync(path, 'utf8')

describe('the Helm chart', () => {
  const template = read('deploy/helm/clew/templates/clew.yaml')
  const Values = z.object({ processes: z.record(z.string(), z.object({ roles: z.string() })) })
  const { processes } = Values.parse(parse(read('deploy/helm/clew/values.yaml')))

  it('gives every role to a process (C574)', () => {
    const roles = Object.values(processes).flatMap(({ roles: names }) => names.split(','))
    expect(roles.sort()).toEqual([...readConfig({}).ROLES].sort())
  })

  it('lets a pod hand its work over, and change nothing in its image (C574)', () => {
    const grace = /terminationGracePeriodSeconds: (\d+)/.exec(template)?.[1]
    expect(Number(grace)).toBeGreaterThan(10)
    for (const rule of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'drop: [ALL]'])
      expect(template).toContain(rule)
  })

  it('has the version of Clew', () => {
    expect(parse(read('deploy/helm/clew/Chart.yaml'))).toMatchObject({
      version: clew.version,
      appVersion: clew.version,
    })
  })
})

describe('render.yaml', () => {
  const Service = z.object({
    type: z.string(),
    name: z.string(),
    plan: z.string(),
    maxmemoryPolicy: z.string().optional(),
    maxShutdownDelaySeconds: z.number().optional(),
    envVars: z
      .array(z.object({ key: z.string(), fromService: z.object({ name: z.string() }).optional() }))
      .default([]),
  })
  const { services } = z
    .object({ services: z.tuple([Service, Service]) })
    .parse(parse(read('render.yaml')))
  const [web, store] = services

  it('sets only settings that exist (C575)', () => {
    for (const { key } of web.envVars) expect(settingNames).toContain(key)
  })

  it('keeps the data in a store that neither evicts nor forgets (C575)', () => {
    const url = web.envVars.find(({ key }) => key === 'REDIS_URL')
    expect(url?.fromService?.name).toBe(store.name)
    expect(store).toMatchObject({ type: 'keyvalue', maxmemoryPolicy: 'noeviction' })
    expect(store.plan).not.toBe('free')
    expect(web.maxShutdownDelaySeconds).toBeGreaterThan(10)
  })
})
