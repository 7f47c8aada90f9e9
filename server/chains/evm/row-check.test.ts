import { encodeAbiParameters, RpcRequestError } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testLog } from '../../../test/support/logs'
import { builtInNetworks } from '../../x402/networks/built-in-networks'
import { addNetwork, networkRow, resetNetworks } from '../../x402/networks/networks'
import { type EvmRow, USUAL } from '../../x402/networks/rows'
import { domainSeparator } from '../../x402/schemes/evm-hashes'
import type { Rpc } from '../rpc'
import { contradictionsOf as contradictions, createRowCheck } from './row-check'

const NETWORK = 'eip155:31337'
const TOKEN = `0x${'ab'.repeat(20)}` as const
const row: EvmRow = {
  ...USUAL,
  chainId: 31_337,
  name: 'local',
  title: 'Local',
  explorer: null,
  blockSeconds: 1,
  finalizedSeconds: 2,
  depth: 2,
  assets: [{ address: TOKEN, symbol: 'TUSD', decimals: 6, domain: { name: 'Test Dollar', version: '1' }, method: 'eip3009' }],
}

const contradictionsOf = async (...call: Parameters<typeof contradictions>) =>
  (await contradictions(...call)).map(({ summary, fix }) => `${summary}: ${fix}`)

beforeEach(() => void addNetwork(row))
afterEach(resetNetworks)

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const SELECTORS = {
  separator: '0x3644e515',
  state: '0xe94a0102',
  decimals: '0x313ce567',
  name: '0x06fdde03',
  version: '0x54fd4d50',
}

type Contract = Partial<Record<keyof typeof SELECTORS, string>>

/** A node whose chain has these contracts, by address, and what the engine needs; a function that is not named reverts. */
const nodeWith =
  (contracts: Record<string, Contract>): Rpc =>
  async (method, [first]) => {
    if (method === 'eth_getCode') return typeof first === 'string' && first in contracts ? '0x60' : '0x'
    if (method === 'eth_getBlockByNumber') return { number: '0x1', hash: word(1n), timestamp: '0x1', baseFeePerGas: '0x1' }
    if (method !== 'eth_call') return '0x1'
    const { to, data } = first as { to?: string; data: string }
    // A trial of the token and of an account without code; a batch answers nothing.
    if (to === undefined) return data.startsWith('0x5f61') ? '0x0301' : '0x'
    if (data.startsWith('0x70a08231')) return word(0n)
    const name = (Object.keys(SELECTORS) as (keyof typeof SELECTORS)[]).find((one) => data.startsWith(SELECTORS[one]))
    const answer = name && contracts[to]?.[name]
    if (answer !== undefined) return answer
    throw new RpcRequestError({ body: {}, url: 'http://node.test', error: { code: 3, message: 'execution reverted' } })
  }

const token = (change: Contract = {}): Contract => ({
  separator: domainSeparator(31_337, TOKEN, { name: 'Test Dollar', version: '1' }),
  state: word(0n),
  decimals: word(6n),
  ...change,
})
const chain = (change: Contract = {}) => ({ [USUAL.multicall]: {}, [TOKEN]: token(change) })

describe('a row', () => {
  test('fits a chain that has all it names', async () => {
    expect(await contradictionsOf(nodeWith(chain()), NETWORK)).toEqual([])
  })

  test.each<[string, Record<string, Contract>, RegExp]>([
    ['without Multicall3', { [TOKEN]: token() }, /^no contract at the Multicall3 address 0xca11\w+: set "multicall"$/],
    [
      'without the token',
      { [USUAL.multicall]: {} },
      /^no contract at TUSD 0xabab\w+: set the address of the token on this chain$/,
    ],
    [
      'with a token of another domain',
      chain({ separator: domainSeparator(31_337, TOKEN, { name: 'Test Dollar', version: '2' }) }),
      /DOMAIN_SEPARATOR of TUSD .* is not that of name "Test Dollar", version "1": set its "domain"/,
    ],
    ['with a token of other decimals', chain({ decimals: word(18n) }), /has 18 decimals, not 6: set its "decimals"/],
  ])('contradicts a chain %s', async (_what, contracts, expected) => {
    expect(await contradictionsOf(nodeWith(contracts), NETWORK)).toEqual([expect.stringMatching(expected)])
  })

  test('contradicts a chain whose token has no EIP-3009', async () => {
    const { state: _, ...without } = token()
    const contracts = { [USUAL.multicall]: {}, [TOKEN]: without }
    expect(await contradictionsOf(nodeWith(contracts), NETWORK)).toEqual([
      expect.stringMatching(/has no authorizationState, so no EIP-3009: set its "method" to "permit2"$/),
    ])
  })

  test('contradicts a chain without its oracle, or without Permit2 where its token needs that', async () => {
    const [megaeth] = builtInNetworks.filter(({ name }) => name === 'megaeth')
    if (!megaeth) throw new Error('it is not built in')
    addNetwork(megaeth)
    const found = await contradictionsOf(nodeWith({ [USUAL.multicall]: {} }), 'eip155:4326')
    expect(found).toEqual([
      expect.stringContaining('no contract at the L1 fee oracle'),
      expect.stringContaining('which payments by Permit2 need'),
      expect.stringContaining('which payments by Permit2 need'),
      expect.stringContaining('no contract at MegaUSD'),
    ])
  })

  test('is not contradicted by a node that does not answer', async () => {
    await expect(contradictionsOf(() => Promise.reject(new Error('silent')), NETWORK)).rejects.toThrow('silent')
    const check = createRowCheck(() => Promise.reject(new Error('silent')), NETWORK, testLog())
    await expect(check.fits()).rejects.toThrow('silent')
    expect(check.contradiction()).toBeNull()
  })
})

test('a network is refused with the reason while its row does not fit, and asked about once if it does', async () => {
  const bad = createRowCheck(nodeWith(chain({ decimals: word(18n) })), NETWORK, testLog())
  expect([await bad.fits(), bad.contradiction()]).toEqual([false, expect.stringContaining('has 18 decimals, not 6')])
  let calls = 0
  const node = nodeWith(chain())
  const good = createRowCheck(
    (...call) => {
      calls++
      return node(...call)
    },
    NETWORK,
    testLog(),
  )
  expect([await good.fits(), good.contradiction()]).toEqual([true, null])
  const asked = calls
  expect([await good.fits(), calls]).toEqual([true, asked])
  expect(networkRow(NETWORK).title).toBe('Local')
})

test('the fault of a wrong domain quotes the name and version that the token gives', async () => {
  const text = (words: string) => encodeAbiParameters([{ type: 'string' }], [words])
  const other = { separator: word(1n), name: text('My\n"Dollar"'), version: text('7') }
  expect(await contradictionsOf(nodeWith(chain(other)), NETWORK)).toEqual([
    expect.stringMatching(/version "1"; the token calls itself name "My\\n\\"Dollar\\"", version "7": set its "domain"$/),
  ])
  expect(await contradictionsOf(nodeWith(chain({ ...other, name: '0x12' })), NETWORK)).toEqual([
    expect.stringMatching(/version "1": set its "domain"$/),
  ])
  const [unversioned] = await contradictionsOf(nodeWith(chain({ separator: word(1n), name: text('x'.repeat(9_000)) })), NETWORK)
  expect(unversioned).toMatch(/the token calls itself name "x{64}", and has no version\(\): set its "domain"$/)
})
