/**
 * The bound of an LRU cache of so many entries, for thousands of them: lru-cache takes the memory of `max` entries at the start, half a
 * megabyte for 10,000.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
