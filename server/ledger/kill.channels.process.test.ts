import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { artifact } from '../../devnet/artifacts'
import { batchSettlementAddress } from '../../devnet/networks'
import { startKillSetup } from '../../test/money/kill/kills'
import { createChannelForge, DEPOSIT, signClaims, signRefund } from '../../test/support/batch-settlement/channels'
import { fundedKey } from '../../test/support/chain/funded-key'
import { fixture } from '../../test/support/fixture'
import { casesOf } from '../../test/support/long-run'
import { officialSigner } from '../../test/support/nodes/official-facilitator'
import { freshIp } from '../../test/support/service/client'
import { askUntilDead, postTo, type ServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

type Json = Record<string, unknown>
type Request = { body: Json; ip: string }

const setup = fixture(startKillSetup)
afterEach(() => setup.clear())

const { abi } = artifact('BatchSettlement')
const MOMENTS = casesOf<FailpointName>(['committed', 'sent'], ['claimed', 'signed', 'landed'])

/** A merchant who signs claims and refunds itself, with a forge of payers. */
function newSeller() {
  const authorizer = privateKeyToAccount(generatePrivateKey())
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  return { authorizer, receiver, forge: createChannelForge(setup.chain, receiver, authorizer.address, authorizer) }
}

/** A channel with a deposit that the official facilitator made, so that no service of ours had a part in it. */
async function opened({ forge }: ReturnType<typeof newSeller>) {
  const who = await forge.payer()
  const made = await forge.deposit(who)
  const key = await fundedKey(setup.chain)
  const signer = officialSigner({ chainId: 84532, chainUrl: setup.chain.url, key, pollingIntervalMs: 20 })
  const official = new x402Facilitator().register('eip155:84532', new BatchSettlementEvmScheme(signer))
  const { success } = await official.settle(...asOfficial(made.body))
  expect(success).toBe(true)
  return { ...who, ...made }
}

// The official facilitator's argument types, for bodies of any content.
type Official = Parameters<x402Facilitator['settle']>
const asOfficial = ({ paymentPayload, paymentRequirements }: Json) => [paymentPayload, paymentRequirements] as unknown as Official

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  setup.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

const settle = (service: ServiceProcess, { body, ip }: Request) => postTo(service, '/sandbox/settle', body, ip)

/** Kills a service at that moment of a request, and repeats the request at the next one until it is answered with success. */
async function survived(moment: FailpointName, request: Request): Promise<Json> {
  const doomed = await setup.start({ FAILPOINT: moment })
  await askUntilDead(doomed, moment, () => settle(doomed, request))
  const service = await setup.start()
  let body: Json = {}
  await until(
    async () => {
      const answer = await settle(service, request)
      if (answer === 'no answer') return false
      body = answer.body
      // It is still on its way, or the database still takes the killed process for alive.
      const isPending = answer.headers.has('retry-after')
      return body.success === true || (answer.status === 409 && !isPending)
    },
    'an answer to the retry',
    60_000,
    250,
  )
  return body
}

/** The settlements of one kind that were not freed, for a receiver. */
const kept = (kind: string, payTo: string) =>
  setup.database.db.settlement.findMany({ where: { kind, payTo: payTo.toLowerCase(), state: { not: 'REJECTED' } } })

describe('a process killed', () => {
  test.each(MOMENTS)('when a deposit was just %s: it is made once', async (moment) => {
    const seller = newSeller()
    const who = await seller.forge.payer()
    const { body, channelId } = await seller.forge.deposit(who)
    await survived(moment, { body, ip: freshIp() })
    await until(async () => (await setup.chain.tokens(who.from)) === 1_000_000n - DEPOSIT, 'the deposit to arrive')
    expect(await read('channels', [channelId])).toEqual([DEPOSIT, 0n])
    expect(await kept('deposit', seller.receiver)).toHaveLength(1)
  })

  test.each(MOMENTS)('when claims were just %s: none is lost, and the retry is told their transaction', async (moment) => {
    const seller = newSeller()
    const channels = [await opened(seller), await opened(seller)]
    const rows = await Promise.all(channels.map(({ config, owner }) => seller.forge.row(config, owner, 700n, 900n)))
    const body = seller.forge.claims(rows, await signClaims(84532, seller.authorizer, rows))
    const answer = await survived(moment, { body, ip: freshIp() })
    expect(answer).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x/) })
    for (const { channelId } of channels) expect(await read('channels', [channelId])).toEqual([DEPOSIT, 700n])
    expect(await kept('claim', seller.receiver)).toMatchObject([{ txHash: answer.transaction }])
  })

  test.each(MOMENTS)('when a refund was just %s: it is paid once, behind its claim', async (moment) => {
    const seller = newSeller()
    const { config, owner, from, channelId } = await opened(seller)
    const claims = [await seller.forge.row(config, owner, 1_000n)]
    const body = await seller.forge.refund(config, owner, 1_000n, {
      amount: 4_000n,
      claims,
      refundAuthorizerSignature: await signRefund(84532, seller.authorizer, { channelId, nonce: 0n, amount: 4_000n }),
      claimAuthorizerSignature: await signClaims(84532, seller.authorizer, claims),
    })
    expect(await survived(moment, { body, ip: freshIp() })).toMatchObject({ success: true, amount: '4000' })
    expect(await read('channels', [channelId])).toEqual([DEPOSIT - 4_000n, 1_000n])
    expect(await read('refundNonce', [channelId])).toBe(1n)
    expect(await setup.chain.tokens(from)).toBe(1_000_000n - DEPOSIT + 4_000n)
  })

  test.each(casesOf<FailpointName>(['committed'], ['claimed', 'sent']))(
    'when the payment of what was claimed was just %s: it is paid once',
    async (moment) => {
      const seller = newSeller()
      const { config, owner } = await opened(seller)
      await seller.forge.claimDirectly([await seller.forge.row(config, owner, 2_500n)])
      const ip = freshIp()
      const doomed = await setup.start({ FAILPOINT: moment })
      await askUntilDead(doomed, moment, () => settle(doomed, { body: seller.forge.sweep(), ip }))
      const service = await setup.start()
      await until(
        async () => {
          await settle(service, { body: seller.forge.sweep(), ip })
          return (await setup.chain.tokens(seller.receiver)) > 0n
        },
        'the payment',
        60_000,
        250,
      )
      expect(await settle(service, { body: seller.forge.sweep(), ip })).toMatchObject({
        body: { errorReason: 'invalid_batch_settlement_evm_nothing_to_settle' },
      })
      expect(await setup.chain.tokens(seller.receiver)).toBe(2_500n)
    },
  )
})
