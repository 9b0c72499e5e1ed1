/**
 * How many histories a property test tries: 50, or what `CLEW_RUNS` says (the soak sets 10,000, and `npm run test:long`
 * 2,000 for those whose histories cost the most). Where one history costs a server and a store, `share` says how many of
 * these it may be: `runs(0.1)` is 5, or 1,000.
 */
export function runs(share = 1): number {
  return Math.max(1, Math.round(Number(process.env.CLEW_RUNS ?? 50) * share))
}
