import { z } from 'zod'
import { type ContractName, replySchema } from '../contracts.ts'
import { memoized } from '../domain/memoized.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON schema of a contract's reply, in the subset that strict function calling takes. */
export const schemaOf = memoized(
  (contract: ContractName): JsonSchema => strictSchema(replySchema(contract)),
)

/**
 * `$schema` is no keyword of the subset, and `const` is one that not every endpoint knows; an enum
 * of one says the same.
 */
function strictSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override({ jsonSchema }) {
      if (jsonSchema.const === undefined) return
      jsonSchema.enum = [jsonSchema.const]
      delete jsonSchema.const
    },
  })
  return rest
}
