/** How long an earlier key or secret goes on beside the new one, seconds: unless told, and at most. */
export const GRACE_SECONDS = { usual: 86_400, most: 30 * 86_400 } as const
