import { webcrypto } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addressOf, signerOf } from '../devnet/solana/keys'

const ICON = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'

/** The names of the test wallets on the page. */
export const ETHEREUM = 'Test Wallet'
export const SOLANA = 'Test Phantom'

/** Adds an EIP-6963 and EIP-1193 wallet with an account for each key to a page; the keys stay outside the browser. */
export async function giveEthereumWallet(page: Page, ...keys: Hex[]): Promise<void> {
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const signerFor = (address: string) => {
    const account = accounts.find((one) => one.address.toLowerCase() === address.toLowerCase())
    if (!account) throw new Error(`the test wallet has no account ${address}`)
    return account
  }
  await page.exposeFunction('signWithTestWallet', (raw: Hex, by: string) => signerFor(by).signMessage({ message: { raw } }))
  await page.exposeFunction('signDataWithTestWallet', (data: string, by: string) => signerFor(by).signTypedData(JSON.parse(data)))
  await page.addInitScript(announceEthereum, { name: ETHEREUM, icon: ICON, addresses: accounts.map(({ address }) => address) })
}

/** Adds a Wallet Standard wallet with an account for each base58 secret key. */
export async function giveSolanaWallet(page: Page, ...secretKeys: string[]): Promise<void> {
  const signers = new Map(await Promise.all(secretKeys.map(async (key) => [addressOf(key), await signerOf(key)] as const)))
  await page.exposeFunction('signWithTestPhantom', async (message: number[], by: string) => {
    const signer = signers.get(by)
    if (!signer) throw new Error(`the test wallet has no account ${by}`)
    return [...new Uint8Array(await webcrypto.subtle.sign('Ed25519', signer.keyPair.privateKey, Uint8Array.from(message)))]
  })
  await page.addInitScript(registerSolana, { name: SOLANA, icon: ICON, addresses: [...signers.keys()] })
}

/** Lets the user choose another account in the test wallet of the page, by its place. */
export async function switchAccount(page: Page, place: number): Promise<void> {
  await page.evaluate((at) => dispatchEvent(new CustomEvent('test-wallet-account', { detail: at })), place)
}

/** How often the test wallet has asked its user to connect to the service. */
export async function connectPrompts(page: Page): Promise<number> {
  return Number(await page.evaluate(() => localStorage.getItem('test-wallet.prompts')))
}

type Shown = { name: string; icon: string; addresses: string[] }

// Both run in the browser before the page, without this module's scope. The storage stands for the wallet's own memory.
function announceEthereum({ name, icon, addresses }: Shown): void {
  const memory = (key: string) => Number(localStorage.getItem(`test-wallet.${key}`))
  const remember = (key: string, value: number) => localStorage.setItem(`test-wallet.${key}`, String(value))
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  // The chosen account comes first, as wallets order them.
  const accounts = () => {
    const chosen = addresses[memory('account')] ?? ''
    return [chosen, ...addresses.filter((address) => address !== chosen)].map((address) => address.toLowerCase())
  }
  const connected = () => (memory('prompts') > 0 ? accounts() : [])
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts() {
      remember('prompts', memory('prompts') + 1)
      return accounts()
    },
    eth_accounts: connected,
    eth_chainId: () => '0x14a34',
    personal_sign: ([raw, by]) => Reflect.get(window, 'signWithTestWallet')(raw, by),
    eth_signTypedData_v4: ([by, data]) => Reflect.get(window, 'signDataWithTestWallet')(data, by),
  }
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const answer = answers[method]
      if (!answer) throw new Error(`the test wallet does not know ${method}`)
      return answer(params)
    },
    on: (event: string, listener: (value: unknown) => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (value: unknown) => void) => void listeners.get(event)?.delete(listener),
  }
  addEventListener('test-wallet-account', (event) => {
    remember('account', (event as CustomEvent).detail)
    for (const listener of listeners.get('accountsChanged') ?? []) listener(connected())
  })
  const info = { uuid: '5d2a1d0e-32c5-4d0e-9f4b-0d6d3b1f7a11', name, icon, rdns: 'test.wallet' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}

function registerSolana({ name, icon, addresses }: Shown): void {
  const memory = (key: string) => Number(localStorage.getItem(`test-wallet.${key}`))
  const remember = (key: string, value: number) => localStorage.setItem(`test-wallet.${key}`, String(value))
  const sign = async (message: Uint8Array, by: string) =>
    Uint8Array.from(await Reflect.get(window, 'signWithTestPhantom')([...message], by))
  const features = ['solana:signMessage', 'solana:signTransaction']
  const account = () => ({ address: addresses[memory('account')] ?? '', chains: ['solana:devnet'], features })
  const listeners = new Set<(change: { accounts: unknown[] }) => void>()
  addEventListener('test-wallet-account', (event) => {
    remember('account', (event as CustomEvent).detail)
    for (const listener of listeners) listener({ accounts: [account()] })
  })
  // Its signature comes second, after the fee payer's.
  const [start, rest] = [1 + 64, 1 + 2 * 64]
  type Account = { address: string }
  const wallet = {
    version: '1.0.0',
    name,
    icon,
    chains: ['solana:devnet'],
    accounts: [],
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false } = {}) {
          if (silent) return { accounts: memory('prompts') > 0 ? [account()] : [] }
          remember('prompts', memory('prompts') + 1)
          return { accounts: [account()] }
        },
      },
      'standard:events': {
        version: '1.0.0',
        on(_: string, listener: (change: { accounts: unknown[] }) => void) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ account, message }: { account: Account; message: Uint8Array }) => [
          { signedMessage: message, signature: await sign(message, account.address) },
        ],
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ account, transaction }: { account: Account; transaction: Uint8Array }) => {
          const signature = await sign(transaction.slice(rest), account.address)
          return [{ signedTransaction: Uint8Array.of(...transaction.slice(0, start), ...signature, ...transaction.slice(rest)) }]
        },
      },
    },
  }
  const register = ({ register }: { register: (one: typeof wallet) => void }) => register(wallet)
  addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent).detail))
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}
