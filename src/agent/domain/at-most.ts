/**
 * Limit of an `LRUCache`, in entries, that takes memory as the cache fills. `max` takes it for all
 * entries at once: for 10,000 some 300 kB and a millisecond of every start.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
