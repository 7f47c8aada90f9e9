import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { exactProxyAddress } from '../../devnet/networks'
import { cellsOf, rowsBelow } from '../money/fuzz/differences-page'
import { asV1Network, officiallySettled, officiallyVerified, settled, type Verdict, verified } from '../money/fuzz/verdicts'
import { frontRunPermit2 } from '../support/chain/front-run'
import { fundedKey } from '../support/chain/funded-key'
import { fixture } from '../support/fixture'
import { approvalSponsoring, officialSigner } from '../support/nodes/official-facilitator'
import { createPermit2Forge, type Permit2Forge, type Permit2Payment } from '../support/permit2/permit2'
import { approvalCases, permit2Differences, permitCases } from '../support/permit2/sponsoring-verdicts'
import { serveNoTokens, serveToken } from '../support/permit2/tokens'
import { type Permit2Case, paymentCases, tokenCases } from '../support/permit2/verdicts'
import { startHarness } from '../support/service/harness'
import { newClient } from '../support/service/surface'

type Json = Record<string, unknown>
type Judge = { forge: () => Permit2Forge; verify: (body: Json) => Promise<Verdict>; settle: (body: Json) => Promise<Verdict> }

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const options = { chainId: 84532, chainUrl: chain.url, key: await fundedKey(chain), pollingIntervalMs: 20 } as const
  const signer = officialSigner(options)
  const official = new x402Facilitator()
    .register('eip155:84532', new ExactEvmScheme(signer))
    .registerV1(asV1Network('base-sepolia'), new ExactEvmSchemeV1(signer))
    .registerExtension(approvalSponsoring(options))
  return { chain, official, forge: createPermit2Forge(chain), close: () => chain.stop() }
})
const own = fixture(async () => {
  const harness = await startHarness({ env: { SPONSORED_APPROVAL_MAX: '0.001' } })
  return { ...harness, forge: createPermit2Forge(harness.chain) }
})

/** Asks us about a payment in any token, as an operator would serve it. */
async function asked(verdict: typeof verified | typeof settled, body: Json): Promise<Verdict> {
  serveToken(String(Object(body.paymentRequirements).asset))
  try {
    return await verdict(newClient(own.app), body)
  } finally {
    serveNoTokens()
  }
}

/** Each facilitator that is held against the table. */
const official: Judge = {
  forge: () => stage.forge,
  verify: (body) => officiallyVerified(stage.official, body),
  settle: (body) => officiallySettled(stage.official, body),
}
const ours: Judge = {
  forge: () => own.forge,
  verify: (body) => asked(verified, body),
  settle: (body) => asked(settled, body),
}

const groups: Record<string, Permit2Case[]> = {
  itself: paymentCases,
  'with a permit': permitCases,
  'with an approval': approvalCases,
  'in a token': tokenCases,
}

type Said = { name: string; make: Permit2Case['make']; verify: Verdict; settle: Verdict }
const theirs = ({ name, make, verify, settle = verify }: Permit2Case): Said => ({ name, make, verify, settle })
const mine = ({ name, make, ours, ...row }: Permit2Case): Said => {
  const { verify, settle = verify } = ours ?? { verify: row.verify }
  return { name, make, verify, settle }
}

describe.each([
  {
    who: 'official',
    judge: official,
    said: theirs,
    again: ['permit2_simulation_failed', 'invalid_exact_evm_transaction_failed'],
  },
  { who: 'our', judge: ours, said: mine, again: ['duplicate_settlement', '409 duplicate_settlement'] },
])('$who verdict on a payment by Permit2', ({ judge, said, again }) => {
  describe.each(Object.entries(groups))('%s', (_, cases) => {
    test.each(cases.map(said))('$name: $verify, $settle', async ({ make, verify, settle }) => {
      expect(await judge.verify((await make(judge.forge())).body)).toBe(verify)
      expect(await judge.settle((await make(judge.forge())).body)).toBe(settle)
    })
  })

  test('a second time fails, and its settle sends nothing', async () => {
    const { body, payer, token } = await judge.forge().paying()
    expect(await judge.settle(body)).toBe('valid')
    expect([await judge.verify(body), await judge.settle(body)]).toEqual(again)
    const { chain } = judge === ours ? own : stage
    expect(await chain.tokens(payer, token)).toBe(999_000n)
  })
})

test('a nonce that was used elsewhere has a reason of ours, where the official one only sees the simulation fail', async () => {
  const { body, payer, token } = await own.forge.paying()
  await own.chain.client.waitForTransactionReceipt({ hash: await frontRunPermit2(own.chain, body) })
  expect(await own.chain.tokens(payer, token)).toBe(999_000n)
  expect([await ours.verify(body), await ours.settle(body)]).toEqual(['permit2_invalid_nonce', 'permit2_invalid_nonce'])
})

test('a payment in version 1 is one for us, where the official facilitator throws: it has no such payments', async () => {
  const [theirs, mine] = [await stage.forge.paying(), await own.forge.paying()]
  expect(await official.verify(asVersion1(theirs.body))).toBe('throws')
  expect(await ours.verify(asVersion1(mine.body))).toBe('valid')
})

test('docs/differences.md lists each payment of the table of which our verdict differs', () => {
  expect(rowsBelow('Permit2')).toEqual(permit2Differences().map(cellsOf))
})

/** Takes the proxy's code away while `act` runs. */
async function withoutProxy<T>({ client }: Chain, act: () => Promise<T>): Promise<T> {
  const proxy = { address: exactProxyAddress, bytecode: await client.getCode({ address: exactProxyAddress }) }
  await client.setCode({ ...proxy, bytecode: '0x' })
  try {
    return await act()
  } finally {
    await client.setCode({ ...proxy, bytecode: proxy.bytecode ?? '0x' })
  }
}

test('a chain without the proxy, where nothing moves, is a success for the official facilitator and a reason for us', async () => {
  const verdicts = async ({ verify, settle }: Judge, { body }: Permit2Payment) => [await verify(body), await settle(body)]
  const [theirs, mine] = [await stage.forge.paying(), await own.forge.paying()]
  expect(await withoutProxy(stage.chain, () => verdicts(official, theirs))).toEqual(['valid', 'valid'])
  expect(await stage.chain.tokens(theirs.payer, theirs.token)).toBe(1_000_000n)
  const none = 'permit2_proxy_not_deployed'
  expect(await withoutProxy(own.chain, () => verdicts(ours, mine))).toEqual([none, none])
  expect(await ours.settle(mine.body)).toBe('valid')
})

/** A body of version 2 as a legacy client would write it. */
function asVersion1({ paymentPayload, paymentRequirements }: Json): Json {
  const { amount, ...asked } = Object(paymentRequirements)
  const network = 'base-sepolia'
  return {
    x402Version: 1,
    paymentPayload: { x402Version: 1, scheme: 'exact', network, payload: Object(paymentPayload).payload },
    paymentRequirements: { ...asked, network, maxAmountRequired: amount, resource: 'http://merchant.test/weather' },
  }
}
