/** What a node said when it answered with a JSON-RPC error, with its data as they came, or null when it did not answer at all. */
export function rejectionOf(error: unknown): { code: number; message: string; data: unknown } | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at.name !== 'RpcRequestError' || !('code' in at) || typeof at.code !== 'number') continue
    const details = 'details' in at && typeof at.details === 'string' ? at.details : at.message
    return { code: at.code, message: details, data: 'data' in at ? at.data : undefined }
  }
  return null
}

/** An object from a node. Throws when the node sent something else. */
export function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  throw new Error(`node answered ${what} with something that is not an object`)
}
