import { readFileSync } from 'node:fs'
import { type Hex, parseGwei } from 'viem'
import { z } from 'zod'
import { ALWAYS } from '../x402/networks/always-on-networks'
import { builtInNetworks, furtherAssets } from '../x402/networks/built-in-networks'
import { foreignNames } from '../x402/networks/networks'
import { type EvmAsset, type EvmRow, USUAL } from '../x402/networks/rows'
import { changes, complete, faults, fields } from './network-fields'
import { unset } from './values'

/** A network as an entry of `EVM_NETWORKS` completes it, with the endpoints and keys of the entry. */
export type ListedNetwork = {
  row: EvmRow
  rpc: string[] | null
  flashRpc: string[] | null
  sendRpc: string[] | null
  signerKeys: Hex[] | null
  /** Whether the process is ready only while the network can settle. */
  required: boolean
}

/** The EVM rows that need no entry in `EVM_NETWORKS`. */
export const knownRows: readonly EvmRow[] = [
  ...ALWAYS.flatMap(([, row]) => (row.family === 'evm' ? [row] : [])),
  ...builtInNetworks,
]

type Report = (message: string) => null

/** The value of `EVM_NETWORKS`: a JSON list, or the path of a file that holds one. No message quotes a value, because URLs hold keys. */
export const networkList = unset(
  z
    .string()
    .optional()
    .transform((written, context): ListedNetwork[] => {
      const report: Report = (message) => {
        context.addIssue(message)
        return null
      }
      return (written === undefined ? [] : read(written.trim(), report)) ?? z.NEVER
    }),
)

function read(written: string, report: Report): ListedNetwork[] | null {
  const json = /^[[{]/.test(written) ? written : fileText(written)
  if (json === null) return report('must be a JSON list of networks, or the path of a readable file with one')
  const list = parseJson(json)
  if (!Array.isArray(list)) return report('must be a JSON list of networks, or the path of a file with one')
  const others = othersBeforehand()
  const rows = list.map((entry: unknown, at) => readEntry(entry, others, (message) => report(`row ${at + 1}${message}`)))
  return rows.every((row) => row !== null) ? rows : null
}

function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** What earlier rows have taken: chain ids of this list, chain ids by slug, decimals by symbol. */
type Others = { listed: Set<number>; chains: Map<string, number>; decimals: Map<string, number> }

function othersBeforehand(): Others {
  const rows = [...ALWAYS.map(([, row]) => row), ...builtInNetworks]
  const assets = [...rows.flatMap((row) => [...row.assets]), ...Object.values(furtherAssets).flat()]
  return {
    listed: new Set(),
    chains: new Map([...foreignNames, ...rows.map((row) => [row.name, row.family === 'evm' ? row.chainId : 0] as const)]),
    decimals: new Map(assets.map((one) => [one.symbol.toUpperCase(), one.decimals])),
  }
}

function readEntry(entry: unknown, others: Others, report: Report): ListedNetwork | null {
  const chainId = fields.shape.chainId.safeParse(
    entry && typeof entry === 'object' && 'chainId' in entry ? entry.chainId : undefined,
  )
  const known = knownRows.find((row) => row.chainId === chainId.data)
  const parsed = (known ? changes : complete).safeParse(entry)
  if (!parsed.success) return report(faults(parsed.error, known !== undefined))
  const given = parsed.data
  if (!known && !given.rpc?.length) return report(', rpc: must have an endpoint, because the network is not built in')
  if (others.listed.has(given.chainId)) return report(', chainId: has a row already; join the two')
  others.listed.add(given.chainId)
  if (known && (given.slug ?? known.name) !== known.name) return report(`, slug: is fixed for ${known.title}; leave it out`)
  if (known && (given.testnet ?? known.testnet) !== known.testnet)
    return report(`, testnet: is fixed for ${known.title}; leave it out`)
  const name = known?.name ?? given.slug ?? ''
  if ((others.chains.get(name) ?? given.chainId) !== given.chainId)
    return report(', slug: is the name of another network; choose another one')
  others.chains.set(name, given.chainId)
  const assets = withAssets(known?.assets ?? [], given, others, report)
  if (!assets) return null
  const { slug: _slug, tipGwei, feeMaxGwei, required = false, ...more } = given
  const { rpc = null, flashRpc = null, sendRpc = null, signerKeys = null, ...same } = more
  const tip = tipGwei === undefined ? {} : { tip: parseGwei(tipGwei.toFixed(9)) }
  const feeMax = feeMaxGwei === undefined ? {} : { feeMax: parseGwei(feeMaxGwei.toFixed(9)) }
  // zod has checked that a row without a known one is whole.
  const row = { ...USUAL, ...known, ...same, ...tip, ...feeMax, name, assets } as EvmRow
  if (row.tip >= row.feeMax) return report(', feeMaxGwei: must be more than tipGwei, or nothing can be sent')
  return { row, rpc, flashRpc, sendRpc, signerKeys, required }
}

/** The known assets and the given ones: a symbol switches on a further asset, an object adds one or replaces that of its address. */
function withAssets(
  known: readonly EvmAsset[],
  { chainId, assets: given = [] }: { chainId: number; assets?: (string | EvmAsset)[] | undefined },
  others: Others,
  report: Report,
): readonly EvmAsset[] | null {
  const assets = [...known]
  const further = furtherAssets[chainId] ?? []
  for (const one of given) {
    const symbol = typeof one === 'string' ? one : one.symbol
    const found = typeof one === 'string' ? [...known, ...further].find((asset) => asset.symbol === one) : one
    if (!found) {
      const choices = further.map((asset) => asset.symbol).join(', ') || 'none'
      return report(
        `, assets: names a symbol that is not known there (known: ${choices}); give address, symbol, decimals and domain`,
      )
    }
    const decimals = others.decimals.get(symbol.toUpperCase())
    if (decimals !== undefined && decimals !== found.decimals) {
      const clash = `${symbol} has ${decimals} decimals on other networks and ${found.decimals} here`
      return report(`, assets: ${clash}; choose another symbol`)
    }
    others.decimals.set(symbol.toUpperCase(), found.decimals)
    const at = assets.findIndex((asset) => asset.address === found.address)
    assets.splice(at === -1 ? assets.length : at, at === -1 ? 0 : 1, found)
  }
  const symbols = assets.map((asset) => asset.symbol.toUpperCase())
  if (new Set(symbols).size < symbols.length) return report(', assets: two have the same symbol; choose another symbol for one')
  return assets.length > 0 ? assets : report(', assets: must have at least one asset')
}
