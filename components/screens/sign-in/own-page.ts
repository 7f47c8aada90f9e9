/** The full URL if a browser would resolve it to a page of ours, else null. The server checks `callbackUrl` with it too. */
export function ownPage(written: string | null, origin: string): string | null {
  if (!written || !URL.canParse(written, origin)) return null
  const [page, own] = [new URL(written, origin), new URL(origin)]
  // Not `origin`: a blob: URL has the origin of its content.
  const isOurs = page.protocol === own.protocol && page.host === own.host
  return isOurs && page.username === '' && page.password === '' ? page.href : null
}
