/** Pattern of an instruction, and what its groups make of it. */
export type Form<Order> = readonly [RegExp, (one: string, other: string) => Order]

/** Words of a text that tests put where few may read them, each once. */
export const secretsIn = (text: string): string[] => [
  ...new Set(text.match(/canary-[a-z-]+/g) ?? []),
]

/** Orders of a text, in their order, each once. */
export function ordersIn<Order>(text: string, forms: readonly Form<Order>[]): Order[] {
  const found = forms.flatMap(([form, read]) =>
    Array.from(text.matchAll(form), ({ index, 1: one = '', 2: other = '' }) => ({
      index,
      order: read(one, other.trim()),
    })),
  )
  const inOrder = found.toSorted((one, other) => one.index - other.index)
  return [...new Map(inOrder.map(({ order }) => [JSON.stringify(order), order])).values()]
}
