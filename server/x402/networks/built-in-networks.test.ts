import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DEFAULT_ASSETS } from '@x402/evm'
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { getAddress } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../../test/support/source-files'
import { ALWAYS } from './always-on-networks'
import { builtInNetworks, furtherAssets } from './built-in-networks'
import { builtInTestnets } from './built-in-testnets'
import { builtInTitles } from './built-in-titles'
import type { EvmRow } from './rows'

const always: EvmRow[] = ALWAYS.flatMap(([, row]) => (row.family === 'evm' ? [row] : []))
const rows: EvmRow[] = [...always, ...builtInNetworks]
const byChainId = new Map(rows.map((row) => [row.chainId, row]))

/** An asset in the words of the official package. */
const official = ({ address, symbol, decimals, domain, method, permits }: EvmRow['assets'][number]) => ({
  asset: getAddress(address),
  ...domain,
  decimals,
  symbol,
  ...(method === 'permit2' ? { assetTransferMethod: 'permit2', ...(permits ? { supportsEip2612: true } : {}) } : {}),
})

test('the list of built-in testnets, which pages load, is theirs', () => {
  expect(builtInTestnets).toEqual(builtInNetworks.filter(({ testnet }) => testnet).map(({ chainId }) => chainId))
})

test('the titles of built-in networks, which pages load, are theirs', () => {
  expect([...builtInTitles]).toEqual(builtInNetworks.map(({ chainId, title }) => [chainId, title]))
})

describe('the built-in networks', () => {
  test('hold every default asset of the official package, in its order and with its domain', () => {
    const ours = Object.keys(DEFAULT_ASSETS).map((id) => {
      const row = byChainId.get(Number(id.replace('eip155:', '')))
      return [id, row ? row.assets.map(official) : 'no row']
    })
    const theirs = Object.entries(DEFAULT_ASSETS).map(([id, assets]) => [
      id,
      assets.map((asset) => ({ ...asset, asset: getAddress(asset.asset) })),
    ])
    expect(ours).toEqual(theirs)
    expect(ours).toHaveLength(26)
  })

  test('have the version 1 name of the official package, and no two a name or a chain id', () => {
    const names = Object.entries(EVM_NETWORK_CHAIN_ID_MAP).filter(([, chainId]) => byChainId.has(chainId))
    expect(names.map(([, chainId]) => [byChainId.get(chainId)?.name, chainId])).toEqual(names)
    expect(names).toHaveLength(16)
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
    expect(byChainId.size).toBe(rows.length)
    for (const { name } of rows) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  test('agree with viem on coin, explorer, Multicall3 and real money', () => {
    const known = new Map<number, chains.Chain>(Object.values(chains).map((chain) => [chain.id, chain]))
    for (const row of builtInNetworks) {
      const chain = known.get(row.chainId)
      if (!chain) throw new Error(`viem does not know ${row.name}`)
      expect([row.name, row.coin]).toEqual([
        row.name,
        { symbol: chain.nativeCurrency.symbol, decimals: chain.nativeCurrency.decimals },
      ])
      expect(row.explorer?.url).toBe(chain.blockExplorers?.default.url.replace(/\/$/, ''))
      const multicall = chain.contracts?.multicall3
      if (multicall) expect([row.name, row.multicall]).toEqual([row.name, multicall.address.toLowerCase()])
      // Not every chain of viem says which it is: only names with Test, Sepolia or Apothem in them are testnets.
      expect([row.name, row.testnet]).toEqual([row.name, chain.testnet === true || /test|sepolia|apothem/i.test(chain.name)])
    }
  })

  test('are listed in the documentation, each with its variable and its tokens', () => {
    const lines = readFileSync(path.join(ROOT, 'docs/networks.md'), 'utf8').split('\n')
    for (const { name, chainId, title, assets } of builtInNetworks) {
      const cells = lines
        .find((line) => line.includes(`| \`${name}\` `))
        ?.split('|')
        .map((cell) => cell.trim())
      const tokens = assets.map(({ symbol, method }) => (method === 'permit2' ? `${symbol} (Permit2)` : symbol)).join(', ')
      expect(cells?.slice(1, 4)).toEqual([title, `\`${name}\``, String(chainId)])
      expect(cells?.slice(5, 7)).toEqual([tokens, `\`${name.toUpperCase().replaceAll('-', '_')}_RPC_URL\``])
    }
  })

  test('write addresses in lower case, with and without the further assets', () => {
    const assets = [...rows.flatMap((row) => row.assets), ...Object.values(furtherAssets).flat()]
    for (const { address } of assets) expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    for (const { multicall } of rows) expect(multicall).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test('give a symbol one number of decimals, and further assets a network', () => {
    const assets = [...rows.flatMap((row) => row.assets), ...Object.values(furtherAssets).flat()]
    const pairs = new Set(assets.map(({ symbol, decimals }) => `${symbol} ${decimals}`))
    expect(pairs.size).toBe(new Set(assets.map(({ symbol }) => symbol)).size)
    for (const chainId of Object.keys(furtherAssets)) expect(byChainId.has(Number(chainId))).toBe(true)
  })
})
