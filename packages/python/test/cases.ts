import { paymentKey } from '../../quittance/src/payment-key'
import { CONFIGURED, ONE_PAYMENT, receiptCases, termCases, UNNAMED, webhookCases } from '../../quittance/test/shared-cases'

/** What the packages of both languages must do alike, for `cases.py`; payments with the names that the TypeScript package gives them. */
export async function pythonCases() {
  const payloads = [...ONE_PAYMENT.flat(), ...UNNAMED]
  return {
    ...(await receiptCases()),
    webhook: webhookCases(),
    terms: termCases(),
    configured: CONFIGURED,
    keys: payloads.map((payload) => [payload, paymentKey(payload)]),
  }
}
