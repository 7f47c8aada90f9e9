/** What a wallet said when it did not sign, in its own first line. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The wallet did not sign.'
  return error.message.split('\n')[0] || 'The wallet did not sign.'
}
