type Close = () => Promise<void>
/** Notes how to close a part that is being opened. */
export type Keep = <P>(opening: Promise<P>, close: (part: P) => unknown) => Promise<P>

/**
 * Opens something that consists of parts; `close` closes them, the newest first. If one fails to open, the others are closed before this
 * throws: files share a worker, in which they would live on.
 */
export async function inParts<T extends object>(open: (keep: Keep) => Promise<T>): Promise<T & { close: Close }> {
  const closings: Close[] = []
  const keep: Keep = (opening, close) => {
    closings.push(async () => {
      // One that failed to open throws where it is opened.
      const parts = await opening.then((part) => [part]).catch(() => [])
      for (const part of parts) await close(part)
    })
    return opening
  }
  const close = async (): Promise<void> => {
    const newest = closings.pop()
    if (!newest) return
    try {
      await newest()
    } finally {
      await close()
    }
  }
  try {
    return { ...(await open(keep)), close }
  } catch (cause) {
    await close().catch(() => undefined)
    throw cause
  }
}
