/**
 * The whole address of the page of ours that a link or a cookie names. Null for any other place, however a browser would read it. The
 * service judges `callbackUrl` by this too.
 */
export function ownPage(written: string | null, origin: string): string | null {
  if (!written || !URL.canParse(written, origin)) return null
  const [page, own] = [new URL(written, origin), new URL(origin)]
  // Protocol and host, not `origin`: an address of blob: has the origin of what it carries.
  const isOurs = page.protocol === own.protocol && page.host === own.host
  return isOurs && page.username === '' && page.password === '' ? page.href : null
}
