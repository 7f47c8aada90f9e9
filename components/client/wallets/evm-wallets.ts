import { useMemo } from 'react'
import type { Address } from 'viem'
import {
  type Connector,
  useConfig,
  useConnect,
  useConnections,
  useConnectors,
  useSignMessage,
  useSignTypedData,
  useSwitchChain,
} from 'wagmi'
import { type EvmWallet, WALLET_CONNECT } from './signing-wallet'

/** Runs a connection that a wallet on another device must accept, and shows its QR code meanwhile. */
export type Pair = <T>(connector: Connector, connect: () => Promise<T>) => Promise<T>

/** The Ethereum wallets of this browser (EIP-6963), and WalletConnect if it is configured. */
export function useEvmWallets(pair: Pair): EvmWallet[] {
  const config = useConfig()
  const connectors = useConnectors()
  const connections = useConnections()
  const { mutateAsync: connect } = useConnect()
  const { mutateAsync: signMessage } = useSignMessage()
  const { mutateAsync: signTypedData } = useSignTypedData()
  const { mutateAsync: switchChain } = useSwitchChain()
  return useMemo(() => {
    const chainName = (id: number) => config.chains.find((chain) => chain.id === id)?.name ?? `chain ${id}`

    function wallet(connector: Connector): EvmWallet {
      const shared = connections.find((one) => one.connector.uid === connector.uid)
      return {
        family: 'evm',
        id: connector.id,
        name: connector.id === 'injected' ? 'Browser wallet' : connector.name,
        icon: connector.icon ?? null,
        account: shared ? { address: shared.accounts[0], chain: chainName(shared.chainId) } : null,
        async connect() {
          // Read now: the user may have changed the account since the last render.
          if (!config.state.connections.has(connector.uid)) {
            const asked = () => connect({ connector })
            const { accounts, chainId } = await (connector.id === WALLET_CONNECT ? pair(connector, asked) : asked())
            return { address: first(accounts, connector), chainId }
          }
          const [accounts, chainId] = await Promise.all([connector.getAccounts(), connector.getChainId()])
          return { address: first(accounts, connector), chainId }
        },
        sign: (message, address) => signMessage({ connector, account: addressOf(address), message }),
        async signTransfer(transfer) {
          const { chainId } = transfer.domain
          if ((await connector.getChainId()) !== chainId) await switchChain({ connector, chainId })
          return signTypedData({ connector, account: transfer.message.from, ...transfer })
        },
      }
    }

    return announced(connectors).map(wallet)
  }, [config, connectors, connections, connect, signMessage, signTypedData, switchChain, pair])
}

/** Without the unnamed provider of the page, if a wallet announces itself. */
export function announced<T extends { id: string }>(connectors: readonly T[]): T[] {
  const hasNames = connectors.some(({ id }) => id !== 'injected' && id !== WALLET_CONNECT)
  return connectors.filter(({ id }) => id !== 'injected' || !hasNames)
}

function first(accounts: readonly Address[], { name }: Connector): Address {
  const [address] = accounts
  if (!address) throw new Error(`${name} shares no account. Unlock it and try again.`)
  return address
}

// The address comes from `connect`.
const addressOf = (address: string) => address as Address
