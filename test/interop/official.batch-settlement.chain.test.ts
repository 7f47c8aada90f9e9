import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { startChain } from '../../devnet/chain'
import { officiallyVerified, type Verdict, verified } from '../money/fuzz/verdicts'
import { createChannelForge } from '../support/batch-settlement/channels'
import { type ChannelCase, depositCases, voucherCases, type World } from '../support/batch-settlement/verdicts'
import { fundedKey } from '../support/chain/funded-key'
import { fixture } from '../support/fixture'
import { approvalSponsoring, officialSigner } from '../support/nodes/official-facilitator'
import { startHarness } from '../support/service/harness'
import { newClient } from '../support/service/surface'

type Json = Record<string, unknown>

const authorizer = privateKeyToAccount(generatePrivateKey())
const receiver = privateKeyToAccount(generatePrivateKey())

/** An official facilitator on a chain; it has no authorizer. */
async function officialOn(chainUrl: string, key: `0x${string}`) {
  const signer = officialSigner({ chainId: 84532, chainUrl, key, pollingIntervalMs: 20 })
  return new x402Facilitator()
    .register('eip155:84532', new BatchSettlementEvmScheme(signer))
    .registerExtension(approvalSponsoring({ chainId: 84532, chainUrl, key, pollingIntervalMs: 20 }))
}

// The official facilitator's argument types, for bodies of any content.
type Official = Parameters<x402Facilitator['settle']>
const asOfficial = ({ paymentPayload, paymentRequirements }: Json) => [paymentPayload, paymentRequirements] as unknown as Official

const depositing = (facilitator: x402Facilitator) => async (body: Json) => {
  const { success, errorReason, errorMessage } = await facilitator.settle(...asOfficial(body))
  if (!success) throw new Error(`the deposit failed: ${errorReason} ${errorMessage}`)
}

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const official = await officialOn(chain.url, await fundedKey(chain))
  const forge = createChannelForge(chain, receiver.address, authorizer.address, authorizer)
  const world: World = { chain, forge, deposited: depositing(official) }
  return { world, official, close: () => chain.stop() }
})
const own = fixture(async () => {
  const harness = await startHarness({ env: { SPONSORED_APPROVAL_MAX: '0.001' } })
  const { chain } = harness
  const forge = createChannelForge(chain, receiver.address, authorizer.address, authorizer)
  const official = await officialOn(chain.url, await fundedKey(chain))
  const world: World = { chain, forge, deposited: depositing(official) }
  return { ...harness, world }
})

const groups: Record<string, ChannelCase[]> = { deposits: depositCases, vouchers: voucherCases }

describe.each(Object.entries(groups))('%s', (_, cases) => {
  test.each(cases)('$name is $verify for the official facilitator', async ({ make, verify }) => {
    expect(await officiallyVerified(stage.official, await make(stage.world))).toBe(verify)
  })

  test.each(cases.map(({ name, make, verify, ours = verify }) => ({ name, make, ours })))(
    '$name is $ours for us',
    async ({ make, ours }) => {
      const said: Verdict = await verified(newClient(own.app), await make(own.world))
      expect(said).toBe(ours)
    },
  )
})
