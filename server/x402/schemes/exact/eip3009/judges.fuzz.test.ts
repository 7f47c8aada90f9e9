import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { patience, tries } from '../../../../../test/money/fuzz/runs'
import { strangeBody } from '../../../../../test/money/fuzz/strange-body'
import { changed, mixedBody } from '../../../../../test/support/payloads/bodies'
import { signed, v1Body, v2Body } from '../../../../../test/support/payloads/payments'
import { svmPayment, svmV1Body, svmV2Body } from '../../../../../test/support/svm/forge'
import { svmParties, svmRules } from '../../../../../test/support/svm/tricks'
import { isServiceError } from '../../../../base/errors'
import { judgeLocally } from '../../../../chains/evm/judgement'
import { listingOf } from '../../../../discovery/bazaar'
import { refusals } from '../../../../http/refusals'
import { forward } from '../../../../ledger/remote/remotes'
import { intentKey, requestHash } from '../../../intent'
import { parseJson } from '../../../json'
import { isEvmNetwork } from '../../../networks/networks'
import { parsePayment } from '../../../parse'
import { claimedPayer, isEip3009, isSigned, isSvm, type Payment, payerIn } from '../../../payment'
import { historyReason, reasons } from '../../../reasons/reasons'
import { brokenTimelessTerms, methodOf, whyUnserved } from '../../evm-methods'
import { brokenSvmRules } from '../svm/rules'

type Json = Record<string, unknown>

const parties = await svmParties()
const rules = svmRules(parties)
const payer = privateKeyToAccount(generatePrivateKey())
const evm = await signed(payer)
const terms = { feePayer: parties.feePayer.address, payTo: parties.payTo, memo: 'order 7' }
const transaction = await svmPayment({ payer: parties.payer, ...terms })
const now = BigInt(Math.floor(Date.now() / 1_000))

const bazaar = { info: { input: { type: 'http', method: 'GET', queryParams: { city: 'x' } } }, schema: { properties: {} } }
const mixed = { ...v1Body(evm), paymentRequirements: mixedBody(evm).paymentRequirements }
const evmBodies: Json[] = [v1Body(evm), v2Body(evm), mixed, changed(v2Body(evm), 'paymentPayload.extensions', { bazaar })]
const svmBodies: Json[] = [svmV1Body(transaction, terms), svmV2Body(transaction, terms)]

const strange = (bodies: Json[]) => fc.constantFrom(...bodies).chain(strangeBody)

/** The payment in a body, or null where it is refused as a body may be. */
function read(text: string): Payment | null {
  try {
    return parsePayment(parseJson(text, 'the body'))
  } catch (error) {
    if (!isServiceError(error)) throw error
    const { refusal, facts } = error
    expect(['bad_request', 'forbidden']).toContain(refusal)
    expect(refusals[facts.reason ?? 'unexpected_error'].status).toContain(refusal === 'forbidden' ? 403 : 400)
    return null
  }
}

/** Why a payment is refused without a node: null when all rules hold. */
function verdict(payment: Payment): string | null {
  if (!isEvmNetwork(payment.network)) return brokenSvmRules(payment, rules)?.reason ?? null
  if (!isEip3009(payment)) return whyUnserved(payment)?.reason ?? 'nothing'
  const judged = judgeLocally(payment, now)
  return judged.verdict === 'failed' ? judged.reason : judged.verdict === 'open' ? 'open' : null
}

/** All other derivations from a payment before it is settled. */
function uses(payment: Payment): void {
  expect([claimedPayer(payment), payerIn(payment)].map((each) => typeof each)).toEqual(['string', 'string'])
  expect(payment.amount >= 0n && payment.amount < 2n ** 256n).toBe(true)
  JSON.stringify(listingOf(payment, { privateHosts: false }))
  if (isSigned(payment)) expect([intentKey(payment), requestHash(payment)]).toEqual([HASH, HASH])
  if (isEip3009(payment))
    JSON.stringify(forward({ ...payment, transfer: methodOf(payment).transfer(payment, { proof: 'key', signature: '0x' }) }))
}

const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/)

describe('any untrusted EVM payment', () => {
  const sound = parsePayment(v2Body(evm))

  test(
    'is refused or judged with documented codes, and passes only as it was signed',
    () => {
      let passed = 0
      const judge = (text: string) => {
        const payment = read(text)
        if (!payment) return
        uses(payment)
        const reason = verdict(payment)
        if (reason !== null && reason !== 'open') {
          expect(reasons).toHaveProperty([reason])
          expect(historyReason(reason)).not.toBe('unknown')
        }
        if (reason !== null) return
        passed += 1
        const { transfer, payTo, amount, asset, network } = payment
        const { transfer: signedTransfer, ...asked } = sound
        expect({ payTo, amount, asset, network }).toEqual({
          payTo: asked.payTo,
          amount: asked.amount,
          asset: asked.asset,
          network: asked.network,
        })
        expect(isEip3009(payment) && brokenTimelessTerms(payment)).toBeNull()
        expect(transfer).toMatchObject({ authorization: isEip3009(sound) && sound.transfer.authorization })
        expect(signedTransfer.kind).toBe(transfer.kind)
        expect(isSigned(payment) && intentKey(payment)).toBe(isSigned(sound) && intentKey(sound))
      }
      fc.assert(fc.property(strange(evmBodies), judge), tries(4_000))
      expect(passed).toBeGreaterThan(100)
    },
    patience(12),
  )
})

describe('any untrusted Solana payment', () => {
  const sound = parsePayment(svmV2Body(transaction, terms))

  test(
    'is refused or judged with documented codes, and passes only as it was signed',
    () => {
      let passed = 0
      const judge = (text: string) => {
        const payment = read(text)
        if (!payment) return
        uses(payment)
        const reason = verdict(payment)
        if (reason !== null) {
          expect(reasons).toHaveProperty([reason])
          expect(historyReason(reason)).not.toBe('unknown')
          return
        }
        passed += 1
        const { payTo, amount, asset, network } = payment
        expect({ payTo, amount, asset, network }).toEqual({
          payTo: sound.payTo,
          amount: sound.amount,
          asset: sound.asset,
          network: sound.network,
        })
        expect(isSvm(payment) && intentKey(payment)).toBe(isSvm(sound) && intentKey(sound))
      }
      fc.assert(fc.property(strange(svmBodies), judge), tries(4_000))
      expect(passed).toBeGreaterThan(100)
    },
    patience(12),
  )
})
