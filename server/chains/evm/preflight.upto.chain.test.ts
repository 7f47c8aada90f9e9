import { expect, test } from 'vitest'
import { startChain } from '../../../devnet/chain'
import { fixture } from '../../../test/support/fixture'
import { testLog } from '../../../test/support/logs'
import { signed, v2Body } from '../../../test/support/payloads/payments'
import { createUptoForge, type UptoPayment } from '../../../test/support/permit2/upto'
import { parsePayment } from '../../x402/parse'
import { asCharged, isEvmPayment } from '../../x402/payment'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodOf } from '../../x402/schemes/evm-methods'
import { checkBatch } from './preflight'
import { createRpc } from './rpc'

const NETWORK = 'eip155:84532'
const LANE = '0x1563915e194d8cfba1943570603f7606a3115508'
const OTHER = '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb'

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const rpc = createRpc([chain.url], NETWORK, testLog())
  return { chain, rpc, forge: createUptoForge(chain), close: () => chain.stop() }
})

function transferOf(body: unknown): SignedTransfer {
  const payment = asCharged(parsePayment(body))
  if (!isEvmPayment(payment)) throw new Error('not a payment')
  return methodOf(payment).transfer(payment, { proof: 'key', signature: payment.transfer.signature })
}
const charged = (payment: UptoPayment, amount: bigint) => transferOf(payment.charging(amount))
/** A payment by EIP-3009 of the same payer, of 1,000. */
const exact = async ({ owner }: UptoPayment) => transferOf(v2Body(await signed(owner)))

const paid = async (transfers: SignedTransfer[], inFlight: SignedTransfer[] = []) =>
  (await checkBatch(stage.rpc, NETWORK, LANE, transfers, inFlight)).map((one) => one.paid)

test('a transfer that one signer may make is tried as that signer', async () => {
  const payment = await stage.forge.paying({ facilitator: LANE, balance: 800n })
  expect(await paid([charged(payment, 800n)])).toEqual([true])
  expect(await paid([charged(payment, 801n)])).toEqual([false])
  // The signature names the other signer, who is not the one that sends it.
  const { witness, ...rest } = Object(Object(payment.body.paymentPayload).payload).permit2Authorization
  const changed = { ...rest, witness: { ...witness, facilitator: OTHER } }
  const payload = { ...Object(Object(payment.body.paymentPayload).payload), permit2Authorization: changed }
  const forged = { ...payment.charging(1n), paymentPayload: { ...Object(payment.body.paymentPayload), payload } }
  expect(await paid([transferOf(forged)])).toEqual([false])
})

test('what its payer has in flight must leave enough for it, and it must leave enough for others', async () => {
  const payment = await stage.forge.paying({ facilitator: LANE, balance: 1_500n })
  const other = await exact(payment)
  expect(await paid([charged(payment, 500n)], [other])).toEqual([true])
  expect(await paid([charged(payment, 501n)], [other])).toEqual([false])
  expect(await paid([other], [charged(payment, 500n)])).toEqual([true])
  expect(await paid([other], [charged(payment, 501n)])).toEqual([false])
})
