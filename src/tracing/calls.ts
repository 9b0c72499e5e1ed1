import { SpanKind } from '@opentelemetry/api'
import { promptFor, userText } from '../agent/model/prompts.ts'
import type { PromptLayout } from '../agent/model/rules.ts'
import type { Channel } from '../agent/ports/channel.ts'
import { kindOf, type Model } from '../agent/ports/model.ts'
import type { Toolbox } from '../agent/tools/registry.ts'
import type { StartSpan } from './export.ts'
import { commitOf, fail, inThread, usageOf, within } from './spans.ts'

/* Exported attributes, by the conventions for generative systems. Contents only if an operator asks for them. */

export interface CallDeps {
  startSpan: StartSpan
  /** Layout of prompts in spans; null if no contents may be exported. */
  content: PromptLayout | null
  providerOf(model: string): string
}

const text = (content: string) => ({ type: 'text', content })

export const modelWith = ({ startSpan, content, providerOf }: CallDeps, model: Model): Model => ({
  ...model,
  async call(contract, input, signal, written) {
    const attributes = { 'gen_ai.operation.name': 'chat', 'clew.contract': contract }
    return await within(
      startSpan,
      { name: 'chat', kind: SpanKind.CLIENT, attributes },
      async (span) => {
        if (content !== null) {
          const prompt = promptFor(contract, input, content)
          const messages = [{ role: 'user', parts: [text(userText(prompt))] }]
          span.setAttribute('gen_ai.system_instructions', JSON.stringify([text(prompt.system)]))
          span.setAttribute('gen_ai.input.messages', JSON.stringify(messages))
        }
        const reply = await model.call(contract, input, signal, written)
        // If there are several models, the one that answered.
        const name = reply.usage.model ?? model.name
        span.updateName(`chat ${name}`)
        span.setAttributes({
          'gen_ai.request.model': name,
          'gen_ai.provider.name': providerOf(name),
          ...usageOf(reply.usage),
        })
        if (reply.ok && content !== null) {
          const said = {
            role: 'assistant',
            parts: [text(JSON.stringify(reply.value))],
            finish_reason: 'stop',
          }
          span.setAttribute('gen_ai.output.messages', JSON.stringify([said]))
        }
        if (!reply.ok) fail(span, kindOf(reply) ?? reply.code)
        return reply
      },
    )
  },
})

export const toolboxWith = ({ startSpan, content }: CallDeps, toolbox: Toolbox): Toolbox => ({
  ...toolbox,
  get(name, asking) {
    const tool = toolbox.get(name, asking)
    if (tool === null) return null
    return {
      ...tool,
      async run(input, context) {
        const attributes = {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': name,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': context.effectId,
          ...(content === null ? {} : { 'gen_ai.tool.call.arguments': input }),
        }
        return await within(
          startSpan,
          { name: `execute_tool ${name}`, attributes },
          async (span) => {
            const result = await tool.run(input, context)
            if (content !== null) span.setAttribute('gen_ai.tool.call.result', result.text)
            if (!result.ok) fail(span, result.unknown === true ? 'outcome_unknown' : 'tool_failed')
            return result
          },
        )
      },
    }
  },
})

export const channelWith = ({ startSpan }: CallDeps, channel: Channel): Channel => ({
  ...channel,
  async send({ traceparent, ...delivery }, conversation) {
    const madeBy = commitOf(traceparent)
    if (madeBy === null) return await channel.send(delivery, conversation)
    const { platform } = channel
    const attributes = {
      'messaging.system': platform,
      'messaging.operation.type': 'send',
      'messaging.message.id': delivery.id,
      ...inThread(conversation.id),
      'clew.delivery.kind': delivery.body.kind,
    }
    const span = startSpan(`send ${platform}`, { kind: SpanKind.PRODUCER, attributes }, madeBy)
    try {
      const sent = await channel.send(delivery, conversation)
      span.setAttribute('clew.delivery.outcome', sent.kind)
      if (sent.kind === 'refused' || sent.kind === 'unknown') fail(span, sent.kind)
      return sent
    } catch (error) {
      fail(span, error instanceof Error ? error.name : 'error')
      throw error
    } finally {
      span.end()
    }
  },
})
