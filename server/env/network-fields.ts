import type { Hex } from 'viem'
import { z } from 'zod'
import type { EvmAsset } from '../x402/networks/rows'
import { coins, fineCoins, keys, urls } from './values'

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

/** All that an entry of `EVM_NETWORKS` may say. */
export const fields = z.strictObject(
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
export const changes = fields.partial().required({ chainId: true })
/** An entry for another network: all but what has a usual value. */
export const complete = fields.partial({
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
})

/** What is wrong with an entry. It quotes no value. */
export function faults(error: z.ZodError, known: boolean): string {
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
