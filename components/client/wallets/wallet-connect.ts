import type { CreateConnectorFn } from 'wagmi'
import { walletConnect } from 'wagmi/connectors'
import { browserStorage } from './browser-storage'
import { WALLET_CONNECT } from './signing-wallet'

let isWanted = false

/** Allows the connector to load its code and reach its relay. */
export function wantWalletConnect(): void {
  isWanted = true
}

/** The WalletConnect connector. It loads and connects nothing until it is wanted, or was the wallet of the last visit. */
export function walletConnector(projectId: string, storagePrefix: string): CreateConnectorFn {
  isWanted ||= browserStorage()?.getItem(`${storagePrefix}.recentConnectorId`) === JSON.stringify(WALLET_CONNECT)
  const create = walletConnect({
    projectId,
    showQrModal: false,
    telemetryEnabled: false,
    metadata: {
      name: 'Quittance',
      description: 'x402 payment facilitator',
      url: location.origin,
      icons: [`${location.origin}/icon.svg`],
    },
  })
  return (config) => {
    const connector = create(config)
    const getProvider: typeof connector.getProvider = (parameters) =>
      isWanted ? connector.getProvider(parameters) : Promise.reject(new Error('WalletConnect is not in use'))
    return { ...connector, setup: async () => {}, getProvider }
  }
}
