import { readFileSync } from 'node:fs'
import { type Hex, parseGwei } from 'viem'
import { z } from 'zod'
import { coins, fineCoins, keys, unset, urls } from './env-values'
import { builtInNetworks, furtherAssets } from './x402/built-in-networks'
import { ALWAYS, type EvmAsset, type EvmRow, USUAL } from './x402/network-rows'
import { foreignNames } from './x402/networks'

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

const must = (what: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is missing' : `must be ${what}`),
})
const text = (most: number) =>
  z.string(must('a text')).trim().min(1, 'must not be empty').max(most, `must have at most ${most} characters`)
const whole = (least: number, most: number) => {
  const what = `a whole number from ${least} to ${most}`
  return z.int(must(what)).min(least, `must be ${what}`).max(most, `must be ${what}`)
}
const positive = (what: string) => z.number(must(what)).positive(`must be ${what}`).max(1_000_000, `must be ${what}`)
const yesOrNo = z.boolean(must('true or false'))
const address = z
  .string(must('an address: 0x and 40 hex digits'))
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .transform((written): Hex => `0x${written.slice(2).toLowerCase()}`)
const SYMBOL = /^[A-Za-z0-9][\w.+-]{0,15}$/
const symbol = z.string(must('a symbol such as USDC')).regex(SYMBOL, 'must be a symbol such as USDC')

const assetFields = z
  .strictObject(
    {
      address,
      symbol,
      decimals: whole(0, 30),
      domain: z.strictObject({ name: text(64), version: text(16) }, must('an object with name and version')),
      method: z.enum(['eip3009', 'permit2'], 'must be eip3009 or permit2').default('eip3009'),
      permits: yesOrNo.default(false),
    },
    must('an object with address, symbol, decimals and domain, or the symbol of a known asset'),
  )
  .transform((given): EvmAsset => given)
const asset = z.union([z.string(), z.unknown().pipe(assetFields)])

/** A list of texts, which the variables write with commas. */
const listed = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value.map(String).join(',') : value), schema)

const fields = z.strictObject(
  {
    chainId: whole(1, Number.MAX_SAFE_INTEGER),
    slug: z
      .string(must('lower case words joined by dashes'))
      .regex(/^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower case words joined by dashes'),
    title: text(40),
    testnet: yesOrNo,
    explorer: z
      .strictObject(
        {
          name: text(40),
          url: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).transform((url) => url.replace(/\/+$/, '')),
        },
        must('an object with name and url, or null'),
      )
      .nullable(),
    coin: z.strictObject({ symbol, decimals: whole(0, 30) }, must('an object with symbol and decimals')),
    assets: z.array(asset, must('a list of assets')).max(20, 'must have at most 20 assets'),
    blockSeconds: positive('a number of seconds'),
    finalizedSeconds: positive('a number of seconds'),
    fees: z.enum(['eip1559', 'legacy'], must('eip1559 or legacy')),
    tipGwei: z.number(must('a number of gwei')).min(0, 'must be at least 0').max(100_000, 'must be at most 100000'),
    feeMaxGwei: z.number(must('a number of gwei')).positive('must be more than 0').max(10_000_000, 'must be at most 10000000'),
    l1FeeOracle: address.nullable(),
    gasPercent: whole(100, 2_000),
    gasPerByte: whole(0, 20_000),
    depth: whole(1, 1_000).nullable(),
    multicall: address,
    coinUsd: positive('a number of US dollars'),
    gasBudgetDay: coins,
    gasMaxUsd: positive('a number of US dollars'),
    minPayment: whole(1, 1_000_000_000),
    sponsoredApprovalMax: fineCoins,
    required: yesOrNo,
    rpc: listed(urls),
    flashRpc: listed(urls),
    sendRpc: listed(urls),
    signerKeys: listed(keys),
  },
  must('an object'),
)

/** An entry for a built-in network: its chain id and what changes. */
const changes = fields.partial().required({ chainId: true })
/** An entry for another network: all but what has a usual value. */
const complete = fields.partial({
  ...{
    tipGwei: true,
    feeMaxGwei: true,
    l1FeeOracle: true,
    gasPercent: true,
    gasPerByte: true,
    multicall: true,
    coinUsd: true,
    gasBudgetDay: true,
    gasMaxUsd: true,
    minPayment: true,
    sponsoredApprovalMax: true,
    required: true,
    flashRpc: true,
    sendRpc: true,
    signerKeys: true,
  },
})

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

function faults(error: z.ZodError, known: boolean): string {
  const lines = error.issues.map((issue) => {
    const path = issue.path.map(String).join('.')
    const inner = issue.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined
    const field = [path, ...(inner?.path ?? []).map(String)].filter(Boolean).join('.')
    const message = issue.code === 'unrecognized_keys' ? unknownFields(issue.keys) : (inner?.message ?? issue.message)
    return `${field ? `${field}: ` : ''}${message}`
  })
  const whole = known || !lines.some((line) => line.endsWith('is missing'))
  return `, ${lines.join('; ')}${whole ? '' : ' (the network is not built in, so its row must be whole: docs/networks.md)'}`
}

// What is no field name may be a pasted secret.
const unknownFields = (names: readonly string[]) => {
  const readable = names.filter((name) => /^[A-Za-z]{1,24}$/.test(name)).join(', ')
  return `has unknown fields${readable ? ` (${readable})` : ''}; docs/networks.md lists the fields`
}
