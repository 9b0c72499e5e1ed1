import { z } from 'zod'
import { texts } from '../../../locales/texts.ts'
import { deriveId } from '../../domain/id.ts'
import type { Run } from '../../domain/run.ts'
import { idle } from '../../kernel/idle.ts'
import type { Audit } from '../../ports/audit.ts'
import { finishRun } from '../finish.ts'
import { endWith } from '../scene.ts'
import type { Driver } from '../session.ts'

/** Channel to which the newest rows of the audit are posted. */
export interface HeadsPlace {
  workspace: string
  channel: string
}

export const auditHeadType = 'audit_head'
const Input = z.object({ heads: z.array(z.string()) })

/** C719: posts the heads that the run was made with. */
export const driveAuditHead: Driver = async (session) => {
  const { heads } = Input.parse(session.run.input)
  await endWith(session, (scene) =>
    finishRun(scene, { status: 'succeeded', text: scene.words.audit.heads(heads) }),
  )
  return idle
}

/** The run that posts the newest row of every workspace on a day; null: there are no rows. */
export async function headsRun(
  audit: Pick<Audit, 'head' | 'workspaces'>,
  { workspace, channel }: HeadsPlace,
  { now, locale }: { now: number; locale: string },
): Promise<Run | null> {
  const day = new Date(now).toISOString().slice(0, 10)
  const heads: string[] = []
  for (const one of await audit.workspaces()) {
    const head = await audit.head(one)
    if (head !== null) heads.push(`${one}=${head.seq}:${head.hash}`)
  }
  if (heads.length === 0) return null
  const id = deriveId('r', 'audit heads', workspace, channel, day)
  return {
    version: 1,
    id,
    workspace,
    channel,
    conversationId: null,
    type: auditHeadType,
    title: texts(locale).audit.headsTitle(day),
    input: { heads },
    status: 'queued',
    requestedBy: null,
    requestId: `audit ${day}`,
    parentRunId: null,
    afterRunId: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    error: null,
    result: null,
    attempts: 0,
  }
}
