import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { localNetwork } from '../../../../../devnet/networks'
import { patience, tries } from '../../../../../test/money/fuzz/runs'
import { strangeBody } from '../../../../../test/money/fuzz/strange-body'
import { changed } from '../../../../../test/support/payloads/bodies'
import { permit2Body, sponsoringOn } from '../../../../../test/support/permit2/permit2'
import { isServiceError } from '../../../../base/errors'
import { judgeLocally } from '../../../../chains/evm/judgement'
import { intentKey, requestHash } from '../../../intent'
import { parseJson } from '../../../json'
import { parsePayment } from '../../../parse'
import { type EvmPayment, isEvmPayment } from '../../../payment'
import { historyReason, reasons } from '../../../reasons/reasons'
import { brokenTimelessTerms, methodOf, readTransfer, writeTransfer } from '../../evm-methods'

const CHAIN = 84532
const owner = privateKeyToAccount(generatePrivateKey())
const payer = { owner, from: owner.address, token: localNetwork(CHAIN).usdc }
const { permitting, approving } = sponsoringOn(CHAIN)
const message = { nonce: 7n, deadline: BigInt(Math.floor(Date.now() / 1_000)) + 3_600n }
const bodyWith = (change: Parameters<typeof permit2Body>[2] = {}) => permit2Body(CHAIN, payer, { signed: message, ...change })
const plain = await bodyWith()
const [permitted, approved] = [await bodyWith({ extensions: permitting() }), await bodyWith({ extensions: approving() })]
/** Signed by another key, as a payer with code may allow. */
const foreign = await permit2Body(CHAIN, { ...payer, owner: privateKeyToAccount(generatePrivateKey()) }, { signed: message })
const both = changed(permitted, 'paymentPayload.extensions', {
  ...(await permitting()(owner, payer.token)),
  ...(await approving()(owner, payer.token)),
})
const now = BigInt(Math.floor(Date.now() / 1_000))
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/)

/** The EVM payment in a body, or null where it is refused or another payment. */
function read(text: string): EvmPayment | null {
  try {
    const payment = parsePayment(parseJson(text, 'the body'))
    return isEvmPayment(payment) ? payment : null
  } catch (error) {
    if (!isServiceError(error)) throw error
    expect(['bad_request', 'forbidden']).toContain(error.refusal)
    return null
  }
}

const sound = read(JSON.stringify(plain))

test(
  'any untrusted Permit2 payment is refused or judged with documented codes, stored as it is, and passes only as it was signed',
  () => {
    const said = new Set<string>()
    const judge = (text: string) => {
      const payment = read(text)
      if (!payment || !sound) return
      expect([intentKey(payment), requestHash(payment)]).toEqual([HASH, HASH])
      const transfer = methodOf(payment).transfer(payment, { proof: 'key', signature: payment.transfer.signature })
      expect(readTransfer(JSON.parse(JSON.stringify(writeTransfer(transfer))), transfer.asset)).toEqual(transfer)
      const judged = judgeLocally(payment, now)
      said.add(judged.verdict === 'failed' ? judged.reason : judged.verdict)
      if (judged.verdict === 'failed') {
        expect(reasons).toHaveProperty([judged.reason])
        expect(historyReason(judged.reason)).not.toBe('unknown')
      }
      if (judged.verdict !== 'passed') return
      const { payTo, amount, asset, network, transfer: signed } = payment
      expect({ payTo, amount, asset, network }).toEqual({
        payTo: sound.payTo,
        amount: sound.amount,
        asset: sound.asset,
        network: sound.network,
      })
      expect(signed.authorization).toEqual(sound.transfer.authorization)
      expect([brokenTimelessTerms(payment), intentKey(payment)]).toEqual([null, intentKey(sound)])
    }
    const bodies = fc.constantFrom(plain, permitted, approved, both).chain(strangeBody)
    // Few damaged bodies are still whole payments: the sound ones come first, and one that only the chain can judge.
    const whole = [plain, permitted, approved, both, foreign].map((body): [string] => [JSON.stringify(body)])
    fc.assert(fc.property(bodies, judge), { ...tries(3_000), examples: whole })
    expect([...said]).toEqual(expect.arrayContaining(['passed', 'open']))
    expect(said.size).toBeGreaterThan(3)
  },
  patience(12),
)
