import { type Config, createConfig, createStorage, http, injected, noopStorage } from 'wagmi'
import { base, baseSepolia } from 'wagmi/chains'
import { browserStorage } from './browser-storage'

const PREFIX = 'quittance.wallets'

let config: Promise<Config> | undefined

/** The one configuration of this page: chains, connectors, and the storage that reconnects wallets after a reload. */
export function walletConfig(projectId: string | null): Promise<Config> {
  config ??= create(projectId)
  return config
}

async function create(projectId: string | null): Promise<Config> {
  // Loaded only where it is configured.
  const other = projectId === null ? [] : [(await import('./wallet-connect')).walletConnector(projectId, PREFIX)]
  return createConfig({
    chains: [base, baseSepolia],
    // Wallets only sign here, so no RPC is called.
    transports: { [base.id]: http(), [baseSepolia.id]: http() },
    storage: createStorage({ key: PREFIX, storage: browserStorage() ?? noopStorage }),
    // Browsers inside wallets may have a provider that does not announce itself.
    connectors: [...('ethereum' in window ? [injected()] : []), ...other],
  })
}
