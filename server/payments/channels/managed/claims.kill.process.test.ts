import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { afterEach, expect, test } from 'vitest'
import { artifact } from '../../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../../devnet/networks'
import { startKillSetup } from '../../../../test/money/kill/kills'
import { createChannelForge, DEPOSIT } from '../../../../test/support/batch-settlement/channels'
import { CHANNEL_SECRETS } from '../../../../test/support/batch-settlement/sellers'
import { fundedKey } from '../../../../test/support/chain/funded-key'
import { fixture } from '../../../../test/support/fixture'
import { officialSigner } from '../../../../test/support/nodes/official-facilitator'
import { tenantOf } from '../../../../test/support/service/history'
import { killedItself } from '../../../../test/support/service/process'
import { until } from '../../../../test/support/until'
import type { FailpointName } from '../../../base/failpoints'
import { createAuthorizers } from '../authorizers'

// The flash prefix has signers for keys.
const setup = fixture(() => startKillSetup({ CHANNEL_SECRETS }, 'flash'))
afterEach(() => setup.clear())

const { abi } = artifact('BatchSettlement')
const NETWORK = 'eip155:84532'

/** A channel that a merchant's server keeps here, with so much charged. The official facilitator made its deposit. */
async function charged(name: string, total: bigint) {
  const { db } = setup.database
  const tenantId = await tenantOf(db, name)
  const authorizer = createAuthorizers([CHANNEL_SECRETS]).newest({ tenantId, key: { id: tenantId, version: 0 } })?.address ?? '0x'
  const receiver = `0x${tenantId.replaceAll('-', '')}00000000` as const
  const forge = createChannelForge(setup.chain, receiver, authorizer)
  const who = await forge.payer()
  const { body, config, channelId } = await forge.deposit(who)
  const signer = officialSigner({
    chainId: 84532,
    chainUrl: setup.chain.url,
    key: await fundedKey(setup.chain),
    pollingIntervalMs: 20,
  })
  const official = new x402Facilitator().register(NETWORK, new BatchSettlementEvmScheme(signer))
  const { paymentPayload, paymentRequirements } = body
  // The official facilitator's argument types, for bodies of any content.
  const asked = [paymentPayload, paymentRequirements] as unknown as Parameters<x402Facilitator['settle']>
  expect((await official.settle(...asked)).success).toBe(true)
  const { signature } = await forge.row(config, who.owner, total)
  const lower = Object.entries(config).map(([name, value]) => [name, typeof value === 'string' ? value.toLowerCase() : value])
  const party = (address: string) => address.toLowerCase()
  await db.channel.create({
    data: {
      network: NETWORK,
      id: channelId,
      tenantId,
      config: Object.fromEntries(lower),
      payer: party(config.payer),
      receiver,
      token: party(config.token),
      signature,
      stored: true,
      signed: String(total),
      charged: String(total),
    },
  })
  await db.tenant.update({ where: { id: tenantId }, data: { claimAbove: '1' } })
  const state = () =>
    setup.chain.client.readContract({ address: batchSettlementAddress, abi, functionName: 'channels', args: [channelId] })
  return { tenantId, receiver, state }
}

test.each<FailpointName>(['claimed', 'committed', 'sent', 'landed'])(
  'a process killed when its claim for a merchant was just %s: it is made once, and paid out',
  async (moment) => {
    const { tenantId, receiver, state } = await charged(`killed-${moment}`, 3_000n)
    const doomed = await setup.start({ FAILPOINT: moment })
    await killedItself(doomed)
    await setup.start()
    await until(async () => (await setup.chain.tokens(receiver)) === 3_000n, 'the payment', 90_000, 250)
    expect(await state()).toEqual([DEPOSIT, 3_000n])
    const kept = await setup.database.db.settlement.findMany({ where: { tenantId, state: { not: 'REJECTED' } } })
    expect(kept.map(({ kind }) => kind).sort()).toEqual(['claim', 'sweep'])
  },
)
