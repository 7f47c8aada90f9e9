import { ReceiptCode } from '../../client/receipt/receipt-code'
import { ReceiptSlip } from '../../client/receipt/receipt-slip'
import { SignatureCheck } from '../../client/receipt/signature-check'
import { factsIn } from '../../client/receipt/slip-facts'
import { PrintButton } from './print-button'

/** A shared receipt: what it claims, and whether its signature is valid. `url` is its own page. */
export function PublicReceipt({ receipt, url }: { receipt: string; url: string }) {
  const { issuer, ...facts } = factsIn(receipt)
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="mx-auto flex w-full max-w-[27rem] items-center justify-between gap-4 print:hidden">
        <h1 className="text-[1.35rem] leading-tight font-semibold tracking-tight">Shared receipt</h1>
        <PrintButton />
      </header>
      <ReceiptSlip facts={facts} zone="UTC">
        <ReceiptCode url={url} says="Scan to check this receipt." />
        <SignatureCheck receipt={receipt} issuer={issuer} atOnce />
      </ReceiptSlip>
      <p className="mx-auto w-full max-w-[27rem] text-sm text-soft print:hidden">
        Its payer or its merchant shares this page, and either can withdraw it. The receipt says what was paid, not what was
        delivered. <a href="/docs/settlement">How payments settle</a>
      </p>
    </div>
  )
}
