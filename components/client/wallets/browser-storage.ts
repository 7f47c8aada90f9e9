/** The storage of this browser that outlives a visit. Null where the browser blocks it. */
export function browserStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null
  } catch {
    // Reading the property throws where cookies are blocked.
    return null
  }
}
