import type { Signed } from '../../../devnet/solana/transfers'

/** The options of a read at the newest block. */
export const newest = { commitment: 'processed' }

/** The same transaction with another first signature. */
export function forged({ raw }: Signed): string {
  const bytes = Buffer.from(raw, 'base64')
  bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9)
  return bytes.toString('base64')
}

/** Calls of a node about transactions. */
export function solanaTransactions(url: () => string) {
  async function answer(method: string, ...params: unknown[]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
    const response = await fetch(url(), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return response.json()
  }
  return {
    answer,
    blockhash: async (): Promise<string> => (await answer('getLatestBlockhash', newest)).result.value.blockhash,
    status: async ({ signature }: { signature: string }) =>
      (await answer('getSignatureStatuses', [signature], { searchTransactionHistory: true })).result.value[0],
    send: ({ raw }: Signed) => answer('sendTransaction', raw, { encoding: 'base64', skipPreflight: true }),
    simulate: async ({ raw }: { raw: string }, more: object = {}) =>
      (await answer('simulateTransaction', raw, { encoding: 'base64', ...newest, ...more })).result,
  }
}
