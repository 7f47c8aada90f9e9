/** The maximum rows of one file, the newest; filters split larger histories. */
export const EXPORTED_MAX = 50_000
