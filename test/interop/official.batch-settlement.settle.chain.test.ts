import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { encodeFunctionData, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { startChain } from '../../devnet/chain'
import { officiallySettled, settled, type Verdict } from '../money/fuzz/verdicts'
import { createChannelForge, DEPOSIT } from '../support/batch-settlement/channels'
import { opened, other, type World } from '../support/batch-settlement/verdicts'
import { fundedKey } from '../support/chain/funded-key'
import { fixture } from '../support/fixture'
import { officialSigner } from '../support/nodes/official-facilitator'
import { startHarness } from '../support/service/harness'
import { newMerchant } from '../support/service/surface'

type Json = Record<string, unknown>
type Judge = { world: () => Promise<World>; settle: (body: Json) => Promise<Verdict> }

const P = 'invalid_batch_settlement_evm_'

// The official port types the same message more loosely.
const asAuthorizer = (account: LocalAccount) => account as unknown as ConstructorParameters<typeof BatchSettlementEvmScheme>[1]

const newReceiver = () => privateKeyToAccount(generatePrivateKey()).address

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const authorizer = privateKeyToAccount(generatePrivateKey())
  const key = await fundedKey(chain)
  const signer = officialSigner({ chainId: 84532, chainUrl: chain.url, key, pollingIntervalMs: 20 })
  const official = new x402Facilitator().register('eip155:84532', new BatchSettlementEvmScheme(signer, asAuthorizer(authorizer)))
  return { chain, official, authorizer, close: () => chain.stop() }
})
const own = fixture(async () => {
  const secret = 'the-secret-of-the-channels-of-these-tests'
  const harness = await startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: secret } })
  const merchant = await newMerchant(harness.app)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  return { ...harness, merchant, authorizer: kept?.address ?? '0x' }
})

const depositing = (settle: Judge['settle']) => async (body: Json) => expect(await settle(body)).toBe('valid')

const official: Judge = {
  settle: (body) => officiallySettled(stage.official, body),
  async world() {
    const forge = createChannelForge(stage.chain, newReceiver(), stage.authorizer.address)
    return { chain: stage.chain, forge, deposited: depositing(official.settle) }
  },
}
const ours: Judge = {
  settle: (body) => settled(own.merchant.v1, body),
  async world() {
    const forge = createChannelForge(own.chain, newReceiver(), own.authorizer)
    return { chain: own.chain, forge, deposited: depositing(ours.settle) }
  },
}

type Case = {
  name: string
  make: (world: World, settle: Judge['settle']) => Promise<Json>
  verdict: Verdict
  /** Our verdict where it differs. */
  ours?: Verdict
}

const cases: Case[] = [
  {
    name: 'a claim',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.claims([await world.forge.row(config, owner, 700n, 900n)])
    },
    verdict: 'valid',
  },
  {
    name: 'a claim of what was claimed before',
    make: async (world, settle) => {
      const { config, owner } = await opened(world)
      const body = world.forge.claims([await world.forge.row(config, owner, 700n)])
      expect(await settle(body)).toBe('valid')
      return body
    },
    verdict: 'valid',
  },
  { name: 'a claim of nothing', make: async ({ forge }) => forge.claims([]), verdict: `${P}claim_simulation_failed` },
  {
    name: 'a claim above its voucher',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.claims([await world.forge.row(config, owner, 701n, 700n)])
    },
    verdict: `${P}claim_simulation_failed`,
  },
  {
    name: 'a claim above the balance',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.claims([await world.forge.row(config, owner, DEPOSIT + 1n)])
    },
    verdict: `${P}claim_simulation_failed`,
    // Up to the balance it can be claimed.
    ours: 'valid',
  },
  {
    name: 'a claim with one bad row',
    make: async (world) => {
      const [one, bad] = [await opened(world), await opened(world)]
      return world.forge.claims([
        await world.forge.row(one.config, one.owner, 700n),
        await world.forge.row(bad.config, other, 700n),
      ])
    },
    verdict: `${P}claim_simulation_failed`,
    // The other row is claimed.
    ours: 'valid',
  },
  {
    name: 'a claim of a channel of another authorizer',
    make: async (world) => {
      const change = { receiverAuthorizer: other.address }
      const { config, owner } = await opened(world, { config: change, extra: change })
      return world.forge.claims([await world.forge.row(config, owner, 1n)])
    },
    verdict: `${P}authorizer_address_mismatch`,
  },
  { name: 'a settlement of nothing', make: async ({ forge }) => forge.sweep(), verdict: `${P}nothing_to_settle` },
  {
    name: 'a settlement for a receiver that the token blocks',
    make: async (world, settle) => {
      const { config, owner } = await opened(world)
      expect(await settle(world.forge.claims([await world.forge.row(config, owner, 700n)]))).toBe('valid')
      const args = [world.forge.receiver, true] as const
      await world.chain.send(world.chain.usdc, encodeFunctionData({ abi: usdcAbi, functionName: 'blacklist', args }))
      return world.forge.sweep()
    },
    verdict: `${P}settle_simulation_failed`,
  },
  {
    name: 'a refund of nothing',
    make: async (world) => {
      const { config, owner } = await opened(world)
      const claims = [await world.forge.row(config, owner, 1_000n)]
      return world.forge.refund(config, owner, 1_000n, { amount: 0n, claims })
    },
    verdict: `${P}refund_simulation_failed`,
  },
  {
    name: 'a refund of a channel of which everything is claimed',
    make: async (world) => {
      const { config, owner } = await opened(world)
      const claims = [await world.forge.row(config, owner, DEPOSIT)]
      return world.forge.refund(config, owner, DEPOSIT, { amount: 1n, claims })
    },
    verdict: `${P}refund_no_balance`,
  },
  {
    name: 'a refund with another nonce',
    make: async (world) => {
      const { config, owner } = await opened(world)
      const claims = [await world.forge.row(config, owner, 1_000n)]
      return world.forge.refund(config, owner, 1_000n, { amount: 1n, nonce: 1n, claims })
    },
    verdict: `${P}refund_simulation_failed`,
  },
  {
    name: 'a refund of a channel of another authorizer',
    make: async (world) => {
      const change = { receiverAuthorizer: other.address }
      const { config, owner } = await opened(world, { config: change, extra: change })
      return world.forge.refund(config, owner, 0n, { amount: 1n })
    },
    verdict: `${P}authorizer_address_mismatch`,
  },
  {
    name: 'a refund before anything is claimed',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.refund(config, owner, 0n, { amount: DEPOSIT })
    },
    // Whoever asks for it robs the merchant of what the first request was charged.
    verdict: 'valid',
    ours: `${P}refund_simulation_failed`,
  },
  {
    name: 'a refund with a claim of another channel',
    make: async (world) => {
      const [one, second] = [await opened(world), await opened(world)]
      const claims = [await world.forge.row(second.config, second.owner, 1_000n)]
      return world.forge.refund(one.config, one.owner, 1_000n, { amount: 1n, claims })
    },
    verdict: 'valid',
    ours: `${P}channel_id_mismatch`,
  },
  {
    name: 'a refund that no server let through',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.voucher(config, owner, 1_000n, { type: 'refund' })
    },
    verdict: `${P}payload_type`,
  },
  {
    name: 'a voucher',
    make: async (world) => {
      const { config, owner } = await opened(world)
      return world.forge.voucher(config, owner, 1_000n)
    },
    verdict: `${P}payload_type`,
  },
]

describe.each([
  { who: 'official', judge: official, said: ({ verdict }: Case) => verdict },
  { who: 'our', judge: ours, said: ({ verdict, ours: differing = verdict }: Case) => differing },
])('$who settle', ({ judge, said }) => {
  test.each(cases.map((one) => ({ ...one, verdict: said(one) })))('$name: $verdict', async ({ make, verdict }) => {
    expect(await judge.settle(await make(await judge.world(), judge.settle))).toBe(verdict)
  })
})
