import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announced } from './evm-wallets'
import { WALLET_CONNECT } from './signing-wallet'

const PROJECT = '0123456789abcdef0123456789abcdef'

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('location', new URL('https://pay.example.com/sign-in'))
})
afterEach(() => vi.unstubAllGlobals())

function browser({ ethereum, remembered }: { ethereum?: object; remembered?: string } = {}) {
  const kept = new Map(remembered ? [['quittance.wallets.recentConnectorId', JSON.stringify(remembered)]] : [])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  const events = { addEventListener() {}, removeEventListener() {}, dispatchEvent() {} }
  vi.stubGlobal('window', { ...events, localStorage, ...(ethereum ? { ethereum } : {}) })
}

const configOf = async (projectId: string | null) => (await import('./wallet-config')).walletConfig(projectId)
const idsOf = async (projectId: string | null) => (await configOf(projectId)).connectors.map(({ id }) => id)

test('WalletConnect is a connector only with a project id', async () => {
  browser()
  expect(await idsOf(null)).toEqual([])
  vi.resetModules()
  expect(await idsOf(PROJECT)).toEqual([WALLET_CONNECT])
})

test('WalletConnect loads nothing before the user wants it', async () => {
  browser()
  const [connector] = (await configOf(PROJECT)).connectors
  await expect(connector?.getProvider()).rejects.toThrow('not in use')
})

test('a provider that does not announce itself is a wallet, until a named one is there', async () => {
  browser({ ethereum: {} })
  expect(await idsOf(null)).toEqual(['injected'])
  const named = ['injected', WALLET_CONNECT, 'io.metamask'].map((id) => ({ id }))
  expect(announced(named).map(({ id }) => id)).toEqual([WALLET_CONNECT, 'io.metamask'])
  expect(announced(named.slice(0, 2)).map(({ id }) => id)).toEqual(['injected', WALLET_CONNECT])
})

test('a page has one configuration', async () => {
  browser()
  expect(await configOf(null)).toBe(await configOf(null))
})
