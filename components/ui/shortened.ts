/** The first and last characters of a long address or hash. */
export function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}
