/** A URL without its scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}

/** The host of a URL; of another text all of it. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
