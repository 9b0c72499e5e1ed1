import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const folder = join(import.meta.dirname, '../../.github/workflows')
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      uses: z.string().optional(),
      steps: z.array(z.object({ uses: z.string().optional() })).default([]),
    }),
  ),
})
const workflows = readdirSync(folder).map((name) => ({
  name,
  workflow: Workflow.parse(parse(readFileSync(join(folder, name), 'utf8'))),
}))

describe('the workflows', () => {
  it.each(workflows)('$name: names every action by its commit (C572)', ({ workflow }) => {
    const jobs = Object.values(workflow.jobs)
    const actions = jobs.flatMap(({ uses, steps }) => [uses, ...steps.map((step) => step.uses)])
    const named = actions.filter((action) => action !== undefined)
    expect(named.length).toBeGreaterThan(0)
    for (const action of named) expect(action).toMatch(/^\.\/|@[0-9a-f]{40}$/)
  })

  it('publish nothing before the owner decides and every check passes (C572)', () => {
    const { on, permissions, jobs } =
      workflows.find(({ name }) => name === 'release.yml')?.workflow ?? expect.fail()
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect(permissions).toEqual({ contents: 'read' })
    const { check, ...others } = jobs
    expect(check).toMatchObject({
      if: "vars.RELEASE == 'on'",
      uses: './.github/workflows/check.yml',
    })
    for (const { needs } of Object.values(others))
      expect([needs].flat()).toSatisfy(
        (names: string[]) => names.includes('check') || names.every((name) => name in others),
      )
  })
})
