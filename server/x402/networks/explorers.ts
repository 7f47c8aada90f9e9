import { isNetworkId, networkRow } from './networks'

/** The explorer page of a transaction; undefined without a hash or an explorer. */
export function transactionUrl(network: string, hash: string): string | undefined {
  return pageOf(network, 'tx', hash)
}

/** The explorer page of an address; undefined without an address or an explorer. */
export function addressUrl(network: string, address: string): string | undefined {
  return pageOf(network, 'address', address)
}

/** The name of a network's explorer. */
export function explorerName(network: string): string {
  return isNetworkId(network) ? (networkRow(network).explorer?.name ?? 'the explorer') : 'the explorer'
}

function pageOf(network: string, kind: 'tx' | 'address', id: string): string | undefined {
  if (id === '' || !isNetworkId(network)) return undefined
  const { explorer } = networkRow(network)
  return explorer ? `${explorer.url}/${kind}/${id}${explorer.suffix ?? ''}` : undefined
}
