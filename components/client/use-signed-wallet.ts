import { useQuery } from '@tanstack/react-query'
import { networkIds, networkRow, networksIn, prefixNetworks } from '@/server/x402/networks/networks'
import { sessionQuery } from './queries'
import { useTRPC } from './trpc'

/** The wallet that signed in and that its keys pay; null for a merchant of the identity provider. */
export function useSignedWallet(): string | null {
  const trpc = useTRPC()
  const { data } = useQuery(sessionQuery(trpc))
  return data?.who?.kind === 'wallet' ? data.who.name : null
}

/** The networks on which a wallet can be paid; all without one. */
export function networksFor(wallet: string | null) {
  if (wallet === null) return networkIds
  const family = wallet.startsWith('0x') ? 'evm' : 'svm'
  return networkIds.filter((id) => networkRow(id).family === family)
}

/** Those of them that keys serve. */
export function keyNetworksFor(wallet: string | null) {
  return networksFor(wallet).filter((id) => prefixNetworks.v1.includes(id))
}

/** Whether keys that pay this wallet work on a test network: those of a Solana wallet do not. */
export function worksInTest(wallet: string | null): boolean {
  const served = keyNetworksFor(wallet)
  return networksIn('testnet').some((id) => served.includes(id))
}
