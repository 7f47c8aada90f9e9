import { base58 } from '@scure/base'
import { type KeyPairSigner, signBytes } from '@solana/kit'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { UptoSvmScheme as Official } from '@x402/svm/upto/facilitator'
import { beforeAll, describe, expect, test } from 'vitest'
import { newSecretKey, signerOf } from '../../../../../devnet/solana/keys'
import { SVM_NETWORK, SVM_USDC, someAddress } from '../../../../../test/support/svm/forge'
import { type UptoParties, uptoPayment, uptoRequirements } from '../../../../../test/support/svm/upto'
import { parsePayment } from '../../../parse'
import { asCharged, isSvm, type Payment } from '../../../payment'
import { brokenSvmRules, type SvmRules } from '../../exact/svm/rules'
import { channelAddress } from './program'
import { channelIn } from './rules'
import type { UptoChannel } from './transfers'
import { voucherMessage } from './voucher'

type Signed = Awaited<ReturnType<typeof uptoPayment>>

const LATEST = { recentBlockhash: someAddress(), lastValidBlockHeight: '500', recentSlot: '1000' }

let parties: UptoParties
let authorizer: KeyPairSigner
let official: Official
let sound: Signed
beforeAll(async () => {
  const [payer, feePayer] = await Promise.all([signerOf(newSecretKey()), signerOf(newSecretKey())])
  authorizer = await signerOf(newSecretKey())
  parties = {
    payer,
    payTo: someAddress(),
    feePayer: feePayer.address,
    authorizer: authorizer.address,
    network: SVM_NETWORK,
    asset: SVM_USDC,
  }
  // No rule of verify asks a node here: the requirements name a slot.
  official = new Official(toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: 'http://127.0.0.1:1' }), { maxComputeUnits: 400_000 })
  sound = await uptoPayment(parties, uptoRequirements(parties, LATEST))
})

const nowSeconds = () => BigInt(Math.floor(Date.now() / 1_000))

const rules = (): SvmRules => ({
  feePayers: new Set([parties.feePayer]),
  ours: new Set([parties.feePayer]),
  maxComputeUnits: 60_000n,
  maxFeeLamports: 20_000n,
  smartWallets: new Set(),
})

type Serving = { channel?: UptoChannel | null; isOurs?: boolean; now?: bigint }

function served(payment: Payment, { channel = null, isOurs = true, now = nowSeconds() }: Serving = {}): Payment {
  const { transfer } = payment
  if (transfer.kind !== 'svm-upto') return payment
  return { ...payment, transfer: { ...transfer, served: { now, isOurs, channel } } }
}

const ours = (body: object, serving: Serving = {}) => brokenSvmRules(served(parsePayment(body), serving), rules())?.reason ?? null

async function theirs(body: ReturnType<Signed['body']>): Promise<string | null> {
  const { paymentPayload, paymentRequirements } = body
  const { isValid, invalidReason } = await official.verify(paymentPayload, paymentRequirements)
  return isValid ? null : (invalidReason ?? 'unknown')
}

const soon = () => Number(nowSeconds())
const extra = (change: object) => ({ extra: { ...sound.requirements.extra, ...change } })

describe('a payment that opens a channel', () => {
  test.each<[string, () => object, () => object, string | null]>([
    ['of the official client', () => ({}), () => ({}), null],
    ['with a voucher', () => ({ voucherSignature: '1'.repeat(64) }), () => ({}), 'invalid_upto_svm_payload_unexpected_voucher'],
    ['with a type', () => ({ type: 'deposit' }), () => ({}), 'invalid_upto_svm_payload_type'],
    ['for requirements without a fee payer', () => ({}), () => extra({ feePayer: '' }), 'invalid_upto_svm_payment_requirements'],
    ['without a delay', () => ({}), () => extra({ withdrawDelay: 0 }), 'invalid_upto_svm_payment_requirements'],
    ['for another fee payer', () => ({}), () => extra({ feePayer: someAddress() }), 'facilitator_mismatch'],
    [
      'for another authorizer',
      () => ({}),
      () => extra({ receiverAuthorizer: someAddress() }),
      'invalid_upto_svm_payload_receiver_authorizer',
    ],
    ['of another amount', () => ({}), () => ({ amount: '99999' }), 'invalid_upto_svm_payload_amount_mismatch'],
    ['of another deposit', () => ({ deposit: '99999' }), () => ({}), 'invalid_upto_svm_payload_deposit_not_ceiling'],
    ['with a slot that is no number', () => ({ openSlot: 'ten' }), () => ({}), 'invalid_upto_svm_payload_channel_seed'],
    ['that is not active', () => ({ validAfter: soon() + 60 }), () => ({}), 'invalid_upto_svm_payload_not_yet_active'],
    ['that is over', () => ({ expiresAt: soon() - 1 }), () => ({}), 'invalid_upto_svm_payload_expired'],
    [
      'that lives too long',
      () => ({}),
      () => ({ maxTimeoutSeconds: 3_601 }),
      'invalid_upto_svm_payload_channel_lifetime_exceeded',
    ],
    [
      'that says it lives too long',
      () => ({ expiresAt: soon() + 5_000 }),
      () => ({}),
      'invalid_upto_svm_payload_channel_lifetime_exceeded',
    ],
    [
      'that lives longer than asked',
      () => ({ expiresAt: soon() + 900 }),
      () => ({}),
      'invalid_upto_svm_payload_expires_at_mismatch',
    ],
    ['from no address', () => ({ from: 'nobody' }), () => ({}), 'invalid_upto_svm_payload_payer_mismatch'],
    [
      'of another token program',
      () => ({}),
      () => extra({ tokenProgram: someAddress() }),
      'invalid_upto_svm_payment_requirements',
    ],
    ['from another payer', () => ({ from: someAddress() }), () => ({}), 'invalid_upto_svm_payload_open_transaction'],
    ['to another payee', () => ({}), () => ({ payTo: someAddress() }), 'invalid_upto_svm_payload_open_transaction'],
    ['with another delay', () => ({}), () => extra({ withdrawDelay: 901 }), 'invalid_upto_svm_payload_open_transaction'],
    ['of another slot', () => ({ openSlot: '999' }), () => ({}), 'invalid_upto_svm_payload_open_transaction'],
    ['of a slot that is too old', () => ({}), () => extra({ recentSlot: '2501' }), 'invalid_upto_svm_payload_open_transaction'],
    ['without the memo', () => ({}), () => extra({ memo: 'order 7' }), 'invalid_upto_svm_payload_open_transaction'],
    ['that is no transaction', () => ({ openTransaction: 'AA==' }), () => ({}), 'invalid_upto_svm_payload_open_transaction'],
    ['of another channel', () => ({ channelId: someAddress() }), () => ({}), 'invalid_upto_svm_payload_channel_id'],
    ['with another nonce', () => ({ nonce: '1' }), () => ({}), 'invalid_upto_svm_payload_nonce'],
  ])('%s is judged as the official facilitator judges it', async (_, change, asked, reason) => {
    const body = sound.body(change(), asked())
    expect([ours(body), await theirs(body)]).toEqual([reason, reason])
  })

  test('whose payer did not sign it is refused, as officially', async () => {
    const bytes = Buffer.from(String(sound.payload.openTransaction), 'base64')
    // A byte of the payer's signature, the second one.
    bytes[1 + 64 + 5] = (bytes[1 + 64 + 5] ?? 0) ^ 1
    const body = sound.body({ openTransaction: bytes.toString('base64') })
    expect([ours(body), await theirs(body)]).toEqual(Array(2).fill('invalid_upto_svm_payload_open_transaction'))
  })

  test('with an amount that the official package reads as hex is refused: decimal digits only', () => {
    expect(ours(sound.body({ maxAmount: '0x186a0' }))).toBe('invalid_upto_svm_payload_amount')
  })

  test.each([899, 2_592_001, 2 ** 32 - 1])('with a delay of %i seconds is refused: 900 seconds to 30 days', (withdrawDelay) => {
    expect(ours(sound.body({}, extra({ withdrawDelay })))).toBe('invalid_upto_svm_payment_requirements')
  })

  test('for an authorizer that is not kept here for the caller is refused', () => {
    expect(ours(sound.body(), { isOurs: false })).toBe('invalid_upto_svm_payload_receiver_authorizer')
  })

  test('is of an unsupported scheme where the service does not offer it', () => {
    expect(brokenSvmRules(parsePayment(sound.body()), rules())?.reason).toBe('unsupported_scheme')
  })

  test('that is refused proves its payer only by the signature of the very account that it names, where the scheme is served', () => {
    const provenOf = (body: object) => brokenSvmRules(served(parsePayment(body)), rules())?.proven
    const other = { ...sound.requirements.extra, feePayer: someAddress() }
    expect(provenOf(sound.body({}, { extra: other }))).toBe(true)
    expect(provenOf(sound.body({ from: someAddress() }, { extra: other }))).toBe(false)
    // The account that pays the fee has not signed.
    expect(provenOf(sound.body({ from: parties.feePayer }, { extra: other }))).toBe(false)
    expect(brokenSvmRules(parsePayment(sound.body()), rules())).toMatchObject({ proven: false })
  })

  test('has its transaction read once', () => {
    let reads = 0
    const counting = {
      ...rules(),
      get maxFeeLamports() {
        reads++
        return 20_000n
      },
    }
    expect(brokenSvmRules(served(parsePayment(sound.body())), counting)).toBeNull()
    expect(reads).toBe(1)
  })

  test('names the channel that the official client derived', () => {
    const { payer, feePayer: payee, asset: mint, authorizer } = parties
    const [nonce, openSlot] = [BigInt(String(sound.payload.nonce)), BigInt(String(sound.payload.openSlot))]
    expect(channelAddress({ payer: payer.address, payee, mint, authorizer, nonce, openSlot })).toBe(sound.channelId)
  })
})

describe('a settle request', () => {
  const settling = (body: object, serving: Serving = {}) =>
    brokenSvmRules(served(asCharged(parsePayment(body)), serving), rules())?.reason ?? null
  const deposited = (): UptoChannel => channelIn(parsePayment(sound.body()))

  test('that deposits keeps the rules of verify', () => {
    expect(settling(sound.depositing)).toBeNull()
    expect(settling(sound.body({ type: 'deposit' }, { amount: '700' }))).toBe('invalid_upto_svm_payload_amount_mismatch')
  })

  test('without a type is refused', () => {
    expect(settling(sound.body())).toBe('invalid_upto_svm_payload_type')
    expect(settling(sound.body({}, { amount: '700' }), { isOurs: false })).toBe('invalid_upto_svm_payload_type')
  })

  test('charges at most the maximum', () => {
    const serving = { channel: deposited() }
    expect(settling(sound.charging(700n), serving)).toBeNull()
    expect(settling(sound.charging(0n), serving)).toBeNull()
    expect(settling(sound.charging(100_001n), serving)).toBe('invalid_upto_svm_payload_settlement_exceeds_amount')
  })

  test.each<[string, Partial<Serving>, string]>([
    ['under a key that took no deposit', { channel: null }, 'invalid_upto_svm_delegated_settle_unauthenticated'],
    ['of an authorizer that is not kept here', { isOurs: false }, 'invalid_upto_svm_authorizer_address_mismatch'],
    ['behind its time', { now: 9_999_999_999n }, 'invalid_upto_svm_payload_expired'],
  ])('that charges %s is refused', (_, serving, reason) => {
    expect(settling(sound.charging(700n), { channel: deposited(), ...serving })).toBe(reason)
  })

  test.each<[string, () => object, () => object]>([
    ['another payee', () => ({}), () => ({ payTo: someAddress() })],
    ['a longer time', () => ({ expiresAt: Number(sound.payload.expiresAt) + 60 }), () => ({})],
    ['a higher maximum', () => ({ maxAmount: '200000' }), () => ({})],
    ['another delay', () => ({}), () => extra({ withdrawDelay: 1_000 })],
    ['another payer', () => ({ from: someAddress() }), () => ({})],
  ])('that charges on other terms than the deposit is refused: %s', (_, change, asked) => {
    const body = sound.body({ type: 'claim', ...change() }, { amount: '700', ...asked() })
    expect(settling(body, { channel: deposited() })).toBe('invalid_upto_svm_channel_state')
  })

  test('with a voucher is refused, also with a sound one: charges are signed here', async () => {
    const { channelId, payload } = sound
    const message = voucherMessage({ channelId, amount: 700n, expiresAt: BigInt(Number(payload.expiresAt)) })
    const voucherSignature = base58.encode(await signBytes(authorizer.keyPair.privateKey, message))
    const claim = sound.body({ type: 'claim', voucherSignature }, { amount: '700' })
    expect(settling(claim, { channel: deposited() })).toBe('invalid_upto_svm_payload_voucher_signature')
    expect(settling(claim, { channel: deposited(), isOurs: false })).toBe('invalid_upto_svm_authorizer_address_mismatch')
  })

  test('is one intent for each step, whatever else it says', async () => {
    const { intentKey } = await import('../../../intent')
    const keyOf = (body: object) => {
      const payment = asCharged(parsePayment(body))
      return isSvm(payment) ? intentKey(payment) : null
    }
    expect(keyOf(sound.charging(700n))).toBe(keyOf(sound.charging(900n)))
    expect(keyOf(sound.depositing)).not.toBe(keyOf(sound.charging(700n)))
  })
})
