import { z } from 'zod'
import { bytes32 } from '../x402/encodings'
import { type EvmNetworkId, isEvmNetwork, networkIds, networkRow, readNetwork } from '../x402/networks/networks'
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../x402/schemes/exact/svm/programs'

const blank = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
/** A variable whose empty text counts as unset. */
export const unset = <T extends z.ZodType>(schema: T) => z.preprocess(blank, schema)

/** A whole number between these, or the default. */
export const whole = (least: number, most: number, initially: number) =>
  unset(
    z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(least, `must be at least ${least}`)
      .max(most, `must be at most ${most}`)
      .default(initially),
  )
/** Texts joined by commas. */
export const list = unset(
  z
    .string()
    .optional()
    .transform((joined) =>
      (joined ?? '')
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    ),
)
const LONG = 'must have at least 32 characters; create one with openssl rand -hex 32'

/** An amount of coins as decimal digits. */
export const coins = z
  .string('must be an amount of coins as text, such as "0.5"')
  .regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be an amount of coins such as 0.5')
/** As `coins`, to the last digit of ether. */
export const fineCoins = z
  .string('must be an amount of coins as text, such as "0.0001"')
  .regex(/^\d{1,9}(\.\d{1,18})?$/, 'must be an amount of coins such as 0.0001')
/** Secrets that keys are derived from. */
export const receiptSecrets = list.pipe(z.array(z.string().min(32, `each ${LONG}`)))
export const urls = list.pipe(z.array(z.url({ protocol: /^https?$/, error: 'each must be an http(s) URL' })))
export const keys = list.pipe(
  z.array(
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, 'each key must be 0x and 64 hex digits')
      .transform((key): `0x${string}` => `0x${key.slice(2).toLowerCase()}`),
  ),
)
/** Addresses of EVM networks, in lower case. */
export const addresses = list.pipe(
  z.array(
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'each address must be 0x and 40 hex digits')
      .transform((address): `0x${string}` => `0x${address.slice(2).toLowerCase()}`),
  ),
)
export const postgresUrl = unset(
  z
    .string()
    .trim()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
    .optional(),
)
export const redisUrl = z
  .url({ protocol: /^rediss?$/, hostname: /./, error: 'must be a redis:// or rediss:// URL' })
  .refine(isDecodable, 'must write a % of the password as %25')
export const flag = unset(
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .default('0')
    .transform((digit) => digit === '1'),
)
export const remoteUrl = unset(z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional())
export const remoteToken = unset(
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]*$/, 'must be ASCII without blanks')
    .optional(),
)
export const networkNames = list.transform((names, context) =>
  names.flatMap((name) => {
    const network = readNetwork(name)
    if (network && 'known' in network) return [network.known]
    context.addIssue({ code: 'custom', message: `each must be one of ${networkIds.map((id) => networkRow(id).name).join(', ')}` })
    return []
  }),
)
/** An EVM network by its CAIP-2 id or its name. */
export const evmNetworkName = z.string().transform((name, context): EvmNetworkId => {
  const network = readNetwork(name.trim())
  if (network && 'known' in network && isEvmNetwork(network.known)) return network.known
  context.addIssue({ code: 'custom', message: 'must be a known EVM network such as eip155:8453' })
  return z.NEVER
})
// Anyone can move anything by these: as a wallet they would let every instruction in.
const BARE: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM])
/** Programs of smart wallets on Solana. */
export const walletPrograms = list.pipe(
  z.array(
    z
      .string()
      .refine((address) => bytes32(address) !== null, 'each must be a program of Solana: base58, 32 bytes')
      .refine((address) => !BARE.has(address), 'must not name a token program, the system program or the compute budget'),
  ),
)

const SYMBOL = /^[A-Za-z0-9$.+_-]{1,12}$/
const mint = z.object({
  // A second token of that name would be added to the first.
  symbol: z
    .string()
    .regex(SYMBOL, 'each symbol must be 1 to 12 letters, digits or $ . + _ -')
    .refine((symbol) => symbol.toUpperCase() !== 'USDC', 'no mint may be called USDC, which is always served'),
  address: z.string().refine((address) => bytes32(address) !== null, 'each mint must be an address of Solana: base58, 32 bytes'),
})
const written = z.array(z.object({ symbol: z.string(), mint: z.string() }))
/** Mints by symbol: `USDT:Es9v…,PYUSD:2b1k…`, or JSON such as `[{"symbol":"USDT","mint":"Es9v…"}]`. */
export const mints = unset(z.string().default('')).transform((text, context) => {
  const pairs = text.trim().startsWith('[') ? jsonMints(text) : textMints(text)
  const read = z.array(mint).safeParse(pairs)
  const named = new Set(read.data?.map(({ symbol }) => symbol.toUpperCase()))
  const placed = new Set(read.data?.map(({ address }) => address))
  const twice = read.success && (named.size < read.data.length || placed.size < read.data.length)
  if (read.success && !twice) return read.data
  const form = 'must be SYMBOL:mint pairs, joined by commas, or a JSON list of {"symbol","mint"}'
  const message = twice ? 'must name each symbol and each mint once' : pairs ? read.error?.issues[0]?.message : form
  context.addIssue({ code: 'custom', message: message ?? form })
  return z.NEVER
})

const textMints = (text: string) =>
  text
    .split(',')
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => {
      const [symbol = '', ...address] = pair.split(':')
      return { symbol, address: address.join(':') }
    })

function jsonMints(text: string): { symbol: string; address: string }[] | null {
  try {
    return written.parse(JSON.parse(text)).map(({ symbol, mint }) => ({ symbol, address: mint }))
  } catch {
    // The message says what is expected.
    return null
  }
}

const PRICED = /^(starter|growth|scale)=(\d{1,7}(?:\.\d{1,2})?)$/
/** Plans with their price in US dollars a month: `starter=29,growth=99.50`. */
export const planPrices = list.transform((pairs, context) => {
  const found = pairs.map((pair) => PRICED.exec(pair))
  if (found.every((match) => match !== null)) return new Map(found.map(([, plan = '', price = '']) => [plan, price]))
  context.addIssue({
    code: 'custom',
    message: 'must be such as starter=29,growth=99.50 (plans starter, growth, scale; dollars a month)',
  })
  return z.NEVER
})
export const headerList = list.transform((pairs, context) => {
  const found = pairs.map((pair) => /^([!#$%&'*+.^_`|~\w-]+)=([\x20-\x7e]*)$/.exec(pair))
  if (found.every((match) => match !== null && isDecodable(match[2] ?? '')))
    return Object.fromEntries(found.flatMap((match) => (match ? [[match[1], decodeURIComponent(match[2] ?? '')]] : [])))
  context.addIssue({ code: 'custom', message: 'must be name=value pairs, joined by commas' })
  return z.NEVER
})

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The secret that protects cursors, sessions and stored webhook secrets. */
export const authSecret = z.string().trim().min(32, LONG)

/** The key of `/admin`: long enough, and of characters that a bearer token can hold. */
export const adminKey = z
  .string()
  .trim()
  .min(32, LONG)
  .regex(/^[\x21-\x7e]*$/, 'must be ASCII without blanks')

/** A public origin, without a trailing slash. */
export const origin = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))

/** An EVM address, in lower case. */
export const evmAddress = z
  .string()
  .trim()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .toLowerCase()

/** The address of a Solana wallet. */
export const solanaWallet = z
  .string()
  .trim()
  .refine((address) => bytes32(address) !== null, 'must be a wallet of Solana: base58, 32 bytes')
