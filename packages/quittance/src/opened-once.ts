/** Opens something at its first use, and again after a failure. */
export function openedOnce<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined
  return () => {
    opened ??= open().catch((cause) => {
      opened = undefined
      throw cause
    })
    return opened
  }
}
