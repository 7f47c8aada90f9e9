import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { afterEach, expect, test, vi } from 'vitest'
import type { SvmWallet } from './signing-wallet'
import { watchSolana } from './solana'

const account = (address: string): WalletAccount => ({ address, publicKey: new Uint8Array(32), chains: [], features: [] })
const [FIRST, SECOND] = [account('first'), account('second')]

type Change = (properties: { accounts?: readonly WalletAccount[] }) => void

/** A Wallet Standard wallet that this page may use, or not, without a prompt. */
function testWallet(name: string, trusts: boolean) {
  const changes = new Set<Change>()
  const connect = vi.fn(async ({ silent = false } = {}) => {
    if (silent && !trusts) throw new Error('not trusted')
    return { accounts: [FIRST] }
  })
  const signMessage = async ({ message }: { message: Uint8Array }) => [{ signedMessage: message, signature: new Uint8Array(64) }]
  const on = (_: 'change', listener: Change) => {
    changes.add(listener)
    return () => changes.delete(listener)
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/png;base64,',
    chains: [],
    accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:events': { version: '1.0.0', on },
      'solana:signMessage': { version: '1.1.0', signMessage },
    },
  } satisfies Wallet
  const change = (accounts: readonly WalletAccount[]) => {
    for (const listener of changes) listener({ accounts })
  }
  return { wallet, connect, change, listeners: changes }
}

/** Watches with a browser that remembers a wallet; `now` returns the latest report about a wallet. */
function watching(remembered: string | null) {
  const kept = new Map(remembered === null ? [] : [['quittance.solana-wallet', remembered]])
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  }
  vi.stubGlobal('localStorage', storage)
  let latest: SvmWallet[] = []
  const stop = watchSolana((wallets) => {
    latest = wallets
  })
  stops.push(stop)
  return { stop, kept, now: (name: string) => latest.find((one) => one.name === name) }
}

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllGlobals()
})

const { register } = getWallets()

test('the wallet of the last visit comes back without a prompt', async () => {
  const { wallet, connect } = testWallet('Alpha', true)
  stops.push(register(wallet))
  const { now } = watching('Alpha')
  await vi.waitFor(() => expect(now('Alpha')?.account?.address).toBe('first'), 60_000)
  expect(connect.mock.calls).toEqual([[{ silent: true }]])
})

test('other wallets are not asked, and one that refuses stays disconnected', async () => {
  const [stranger, refusing] = [testWallet('Beta', true), testWallet('Gamma', false)]
  stops.push(register(stranger.wallet, refusing.wallet))
  const { now } = watching('Gamma')
  await vi.waitFor(() => expect(refusing.connect).toHaveBeenCalledOnce(), 60_000)
  expect(stranger.connect).not.toHaveBeenCalled()
  expect([now('Beta')?.account, now('Gamma')?.account]).toEqual([null, null])
})

test('a connected wallet is remembered, and its changes of account are followed', async () => {
  const { wallet, change } = testWallet('Delta', true)
  const { now, kept } = watching(null)
  stops.push(register(wallet))
  expect(await now('Delta')?.connect()).toEqual({ address: 'first', chainId: 0 })
  expect(kept.get('quittance.solana-wallet')).toBe('Delta')
  const before = now('Delta')
  change([SECOND])
  expect(now('Delta')?.account).toEqual({ address: 'second', chain: null })
  expect(await now('Delta')?.connect()).toMatchObject({ address: 'second' })
  await expect(before?.sign('a message', 'first')).rejects.toThrow('Delta changed its account. Try again.')
  change([])
  expect(now('Delta')?.account).toBeNull()
})

test('nothing listens after the stop', () => {
  const { wallet, listeners } = testWallet('Epsilon', true)
  stops.push(register(wallet))
  const { stop } = watching(null)
  expect(listeners.size).toBe(1)
  stop()
  expect(listeners.size).toBe(0)
})
