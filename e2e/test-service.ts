import type { DemoWallet } from '../devnet/playground'

/** The URLs and secrets of a test service. */
export type TestService = {
  baseUrl: string
  /** The RPC URLs of Base Sepolia and Solana devnet. */
  sepoliaUrl: string
  solanaUrl: string
  adminKey: string
  databaseUrl: string
  /** The wallets that the sample merchant lends to the service's pages. */
  wallets: DemoWallet[]
}

let current: TestService | undefined

/** Sets the test service of this worker. */
export function useTestService(started: TestService): void {
  current = started
}

/** The test service of this worker. Throws outside a journey. */
export function service(): TestService {
  if (!current) throw new Error('no test service: import `test` from ./journey')
  return current
}
