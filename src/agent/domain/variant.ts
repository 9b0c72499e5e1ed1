import { z } from 'zod'

/** One of the objects of a union that their `kind` tells apart. */
export const variant = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape })
