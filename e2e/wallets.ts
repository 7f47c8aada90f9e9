import { webcrypto } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addressOf, signerOf } from '../devnet/solana/keys'

const ICON = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** The names of the test wallets on the page. */
export const ETHEREUM = 'Test Wallet'
export const SOLANA = 'Test Phantom'

/** Adds an EIP-6963 and EIP-1193 wallet to a page; its key stays outside the browser. */
export async function giveEthereumWallet(page: Page, key: Hex): Promise<void> {
  const account = privateKeyToAccount(key)
  await page.exposeFunction('signWithTestWallet', (raw: Hex) => account.signMessage({ message: { raw } }))
  await page.exposeFunction('signDataWithTestWallet', (data: string) => account.signTypedData(JSON.parse(data)))
  await page.addInitScript(announceEthereum, { name: ETHEREUM, icon: ICON, address: account.address })
}

/** Adds a Wallet Standard wallet with a base58 secret key. */
export async function giveSolanaWallet(page: Page, secretKey: string): Promise<void> {
  const { keyPair } = await signerOf(secretKey)
  await page.exposeFunction('signWithTestPhantom', async (message: number[]) => {
    return [...new Uint8Array(await webcrypto.subtle.sign('Ed25519', keyPair.privateKey, Uint8Array.from(message)))]
  })
  await page.addInitScript(registerSolana, { name: SOLANA, icon: ICON, address: addressOf(secretKey) })
}

type Shown = { name: string; icon: string; address: string }

// Both run in the browser before the page, without this module's scope.
function announceEthereum({ name, icon, address }: Shown): void {
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts: () => [address.toLowerCase()],
    eth_accounts: () => [address.toLowerCase()],
    eth_chainId: () => '0x14a34',
    personal_sign: ([raw]) => Reflect.get(window, 'signWithTestWallet')(raw),
    eth_signTypedData_v4: ([, data]) => Reflect.get(window, 'signDataWithTestWallet')(data),
  }
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const answer = answers[method]
      if (!answer) throw new Error(`the test wallet does not know ${method}`)
      return answer(params)
    },
    on() {},
    removeListener() {},
  }
  const info = { uuid: '5d2a1d0e-32c5-4d0e-9f4b-0d6d3b1f7a11', name, icon, rdns: 'test.wallet' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}

function registerSolana({ name, icon, address }: Shown): void {
  const sign = async (message: Uint8Array) => Uint8Array.from(await Reflect.get(window, 'signWithTestPhantom')([...message]))
  const accounts = [{ address, chains: ['solana:devnet'], features: ['solana:signMessage', 'solana:signTransaction'] }]
  // Its signature comes second, after the fee payer's.
  const [start, rest] = [1 + 64, 1 + 2 * 64]
  const wallet = {
    ...{ version: '1.0.0', name, icon, chains: ['solana:devnet'], accounts },
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [{ signedMessage: message, signature: await sign(message) }],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const signature = await sign(transaction.slice(rest))
          return [{ signedTransaction: Uint8Array.of(...transaction.slice(0, start), ...signature, ...transaction.slice(rest)) }]
        },
      },
    },
  }
  const register = ({ register }: { register: (one: typeof wallet) => void }) => register(wallet)
  addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
