import {
  type Connector,
  connect,
  createConfig,
  getConnectors,
  http,
  signMessage,
  signTypedData,
  switchChain,
  watchConnectors,
} from '@wagmi/core'
import { base, baseSepolia } from '@wagmi/core/chains'
import type { Address } from 'viem'
import type { Add, EvmWallet } from './signing-wallet'

// Wallets only sign here, so no RPC is called. No storage: the service keeps the session.
const config = createConfig({
  chains: [base, baseSepolia],
  transports: { [base.id]: http(), [baseSepolia.id]: http() },
  storage: null,
})

/** Reports Ethereum wallets that announce themselves (EIP-6963). Returns how to stop. */
export function watchEthereum(add: Add): () => void {
  const report = (connectors: readonly Connector[]) => {
    for (const connector of connectors) add(connector.uid, ethereum(connector))
  }
  report(getConnectors(config))
  return watchConnectors(config, { onChange: report })
}

function ethereum(connector: Connector): EvmWallet {
  return {
    family: 'evm',
    name: connector.name,
    icon: connector.icon ?? null,
    async connect() {
      const { accounts, chainId } = config.state.connections.get(connector.uid) ?? (await connect(config, { connector }))
      return { address: accounts[0], chainId }
    },
    sign: (message, address) => signMessage(config, { connector, account: addressOf(address), message }),
    async signTransfer(transfer) {
      const { chainId } = transfer.domain
      if ((await connector.getChainId()) !== chainId) await switchChain(config, { connector, chainId })
      return signTypedData(config, { connector, account: transfer.message.from, ...transfer })
    },
  }
}

// The address comes from `connect`.
const addressOf = (address: string) => address as Address
