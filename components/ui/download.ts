/** Downloads what a URL of this page leads to, under a name or that of the server. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
