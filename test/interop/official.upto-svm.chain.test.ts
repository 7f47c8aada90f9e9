import { toFacilitatorSvmSigner } from '@x402/svm'
import { UptoSvmScheme as Official } from '@x402/svm/upto/facilitator'
import { describe, expect, test } from 'vitest'
import { newSecretKey, signerOf } from '../../devnet/solana/keys'
import { fixture } from '../support/fixture'
import { callChannel } from '../support/svm/channels'
import { someAddress } from '../support/svm/forge'
import { SOL } from '../support/svm/harness'
import { startUptoService } from '../support/svm/upto-service'

const all = fixture(async () => {
  const service = await startUptoService()
  const [feePayer, authorizer] = await Promise.all([signerOf(newSecretKey()), signerOf(newSecretKey())])
  await service.chain.airdrop(feePayer.address, SOL)
  await service.chain.openAccount(feePayer.address)
  const official = new Official(toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: service.chain.url }), {
    authorizerSigner: authorizer,
    resolveCallerIdentity: () => 'merchant',
  })
  return { ...service, official, theirOffer: { feePayer: feePayer.address, receiverAuthorizer: authorizer.address } }
})

type Payment = Awaited<ReturnType<typeof all.paying>>
type Body = ReturnType<Payment['body']>
type Settle = (body: Body) => Promise<string>

/** What a settle answered: the amount of a success, or the reason. */
const said = ({ success, amount, errorReason }: { success?: boolean; amount?: string; errorReason?: string }): string =>
  success ? `moved ${amount}` : String(errorReason)

const ours: Settle = async (body) => said(Object((await all.merchant.v1.settle(body)).body))
const theirs: Settle = async ({ paymentPayload, paymentRequirements }) =>
  said(await all.official.settle(paymentPayload, paymentRequirements))

type Plan = { change?: Parameters<typeof all.paying>[0]; steps: (payment: Payment, settle: Settle) => Promise<string[]> }

async function closing({ payer, channelId }: Payment): Promise<void> {
  await all.chain.airdrop(payer.address, SOL)
  const accounts = [
    [payer.address, 2],
    [channelId, 1],
  ] as const
  expect(await callChannel(all.chain, payer, 5, accounts)).toBeNull()
}

/** Runs a plan with both, each with a payment of its own. */
async function both({ change = {}, steps }: Plan): Promise<{ ours: string[]; theirs: string[] }> {
  const mine = await all.paying(change)
  const official = await all.paying({ ...change, offer: all.theirOffer })
  return { ours: await steps(mine, ours), theirs: await steps(official, theirs) }
}

const deposited =
  (then: (payment: Payment) => Body) =>
  async (payment: Payment, settle: Settle): Promise<string[]> => [await settle(payment.depositing), await settle(then(payment))]

describe('the official facilitator settles on the same chain', () => {
  test.each<[string, Plan, string[]]>([
    ['a part', { steps: deposited(({ charging }) => charging(700n)) }, ['moved 100000', 'moved 700']],
    ['all', { steps: deposited(({ charging }) => charging(100_000n)) }, ['moved 100000', 'moved 100000']],
    ['nothing', { steps: deposited(({ charging }) => charging(0n)) }, ['moved 100000', 'moved 0']],
    [
      'more than the maximum',
      { steps: deposited(({ charging }) => charging(100_001n)) },
      ['moved 100000', 'invalid_upto_svm_payload_settlement_exceeds_amount'],
    ],
    [
      'for another payee',
      { steps: deposited(({ body }) => body({ type: 'claim' }, { amount: '700', payTo: someAddress() })) },
      ['moved 100000', 'invalid_upto_svm_channel_state'],
    ],
    [
      'by another authorizer',
      { steps: deposited(({ body }) => body({ type: 'claim', authorizedSigner: someAddress() }, { amount: '700' })) },
      ['moved 100000', 'invalid_upto_svm_authorizer_address_mismatch'],
    ],
    [
      'before the deposit',
      { steps: async ({ charging }, settle) => [await settle(charging(700n))] },
      ['invalid_upto_svm_delegated_settle_unauthenticated'],
    ],
    ['without a type', { steps: async ({ body }, settle) => [await settle(body())] }, ['invalid_upto_svm_payload_type']],
    [
      'of a payer without the money',
      { change: { balance: 99_999n }, steps: async ({ depositing }, settle) => [await settle(depositing)] },
      ['invalid_upto_svm_settlement_simulation'],
    ],
    [
      'to a payee without an account',
      { change: { payTo: someAddress() }, steps: async ({ depositing }, settle) => [await settle(depositing)] },
      ['invalid_upto_svm_settlement_simulation'],
    ],
  ])('%s, with the same answer as ours', async (_, plan, answers) => {
    expect(await both(plan)).toEqual({ ours: answers, theirs: answers })
  })

  test.each<[string, Plan, { ours: string; theirs: string }]>([
    [
      'a claim that is repeated',
      {
        steps: async ({ depositing, charging }, settle) => {
          for (const body of [depositing, charging(700n)]) await settle(body)
          return [await settle(charging(700n))]
        },
      },
      { ours: 'duplicate_settlement', theirs: 'invalid_upto_svm_delegated_settle_unauthenticated' },
    ],
    [
      'a claim while the payer closes',
      {
        steps: async (payment, settle) => {
          await settle(payment.depositing)
          await closing(payment)
          return [await settle(payment.charging(700n))]
        },
      },
      { ours: 'moved 700', theirs: 'invalid_upto_svm_channel_state' },
    ],
  ])('%s: a listed difference', async (_, plan, answers) => {
    expect(await both(plan)).toEqual({ ours: [answers.ours], theirs: [answers.theirs] })
  })
})
