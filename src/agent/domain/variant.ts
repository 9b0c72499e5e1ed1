import { z } from 'zod'

/** Object of a union whose members their `kind` tells apart. */
export const variant = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape })
