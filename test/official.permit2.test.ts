import { x402Facilitator } from '@x402/core/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { describe, expect, test } from 'vitest'
import { startChain } from '../devnet/chain'
import { exactProxyAddress } from '../devnet/networks'
import { fixture } from './fixture'
import { asV1Network, officiallySettled, officiallyVerified, type Verdict } from './fuzz/verdicts'
import { fundedKey } from './harness'
import { approvalSponsoring, officialSigner } from './official-facilitator'
import { createPermit2Forge } from './permit2'
import { approvalCases, type Permit2Case, paymentCases, permitCases, tokenCases } from './permit2-verdicts'

type Json = Record<string, unknown>
type Judge = { verify: (body: Json) => Promise<Verdict>; settle: (body: Json) => Promise<Verdict> }

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

/** Each facilitator that is held against the table. */
const facilitators = {
  official: {
    verify: (body) => officiallyVerified(stage.official, body),
    settle: (body) => officiallySettled(stage.official, body),
  },
} satisfies Record<string, Judge>

const groups: Record<string, Permit2Case[]> = {
  itself: paymentCases,
  'with a permit': permitCases,
  'with an approval': approvalCases,
  'in a token': tokenCases,
}

describe.each(Object.entries<Judge>(facilitators))('the %s facilitator’s verdict on a payment by Permit2', (_, judge) => {
  describe.each(Object.entries(groups))('%s', (_, cases) => {
    test.each(cases)('$name: $verify', async ({ make, verify, settle = verify }) => {
      expect(await judge.verify((await make(stage.forge)).body)).toBe(verify)
      expect(await judge.settle((await make(stage.forge)).body)).toBe(settle)
    })
  })

  test('a second time: permit2_simulation_failed, and its settle sends nothing', async () => {
    const { body, payer, token } = await stage.forge.paying()
    expect(await judge.settle(body)).toBe('valid')
    const verdicts = [await judge.verify(body), await judge.settle(body)]
    expect(verdicts).toEqual(['permit2_simulation_failed', 'invalid_exact_evm_transaction_failed'])
    expect(await stage.chain.tokens(payer, token)).toBe(999_000n)
  })

  test('in version 1 is none: it has no such payments', async () => {
    const { body } = await stage.forge.paying()
    expect(await judge.verify(asVersion1(body))).toBe('throws')
  })
})

test('the official facilitator calls a payment a success on a chain without the proxy, where nothing moves', async () => {
  const { body, payer, token } = await stage.forge.paying()
  const { client } = stage.chain
  const proxy = { address: exactProxyAddress, bytecode: await client.getCode({ address: exactProxyAddress }) }
  await client.setCode({ ...proxy, bytecode: '0x' })
  expect(await officiallyVerified(stage.official, body)).toBe('valid')
  expect(await officiallySettled(stage.official, body)).toBe('valid')
  expect(await stage.chain.tokens(payer, token)).toBe(1_000_000n)
  await client.setCode({ ...proxy, bytecode: proxy.bytecode ?? '0x' })
  expect(await officiallySettled(stage.official, (await stage.forge.paying()).body)).toBe('valid')
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
