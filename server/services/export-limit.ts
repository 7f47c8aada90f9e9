/** One file holds as many rows, the newest; the filters cut larger histories into several. */
export const EXPORTED_MAX = 50_000
