'use client'

import { ReceiptSlip } from '../../client/receipt/receipt-slip'
import { SignatureCheck } from '../../client/receipt/signature-check'
import { factsIn } from '../../client/receipt/slip-facts'

/** The signed receipt that a payment of this page got from the merchant. */
export function PaidReceipt({ receipt }: { receipt: string }) {
  const { issuer, ...facts } = factsIn(receipt)
  return (
    <div className="app pb-2">
      <ReceiptSlip facts={facts} zone="UTC">
        <SignatureCheck receipt={receipt} issuer={issuer} />
      </ReceiptSlip>
    </div>
  )
}
