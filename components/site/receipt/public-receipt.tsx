import { PrintedSignature } from '../../client/receipt/printed-signature'
import { Proofs } from '../../client/receipt/proofs'
import { ReceiptCode } from '../../client/receipt/receipt-code'
import { ReceiptLink } from '../../client/receipt/receipt-link'
import { ReceiptSlip } from '../../client/receipt/receipt-slip'
import { factsIn } from '../../client/receipt/slip-facts'
import { pictureWords } from './picture'
import { PrintButton } from './print-button'

/** A shared receipt as a slip of paper, and beside it what it proves. `url` is its own page. */
export function PublicReceipt({ receipt, url }: { receipt: string; url: string }) {
  const { issuer, ...facts } = factsIn(receipt)
  const { merchant, amount } = pictureWords(receipt)
  return (
    <div className="mx-auto grid w-full max-w-[27rem] grid-cols-1 items-start gap-x-16 gap-y-5 lg:max-w-none lg:grid-cols-[27rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr] lg:pt-6 print:block">
      <header className="grid gap-1 lg:col-start-2 print:hidden">
        <p className="text-md text-soft">Shared receipt</p>
        <h1 className="text-xl leading-tight font-semibold tracking-tight wrap-anywhere lg:text-[1.6rem]">
          {amount} paid to {merchant}
        </h1>
      </header>
      <div className="min-w-0 lg:col-start-2 print:hidden">
        <Proofs receipt={receipt} issuer={issuer} facts={facts} />
      </div>
      <div className="min-w-0 lg:col-start-1 lg:row-span-3 lg:row-start-1">
        <ReceiptSlip facts={facts} zone="UTC">
          <ReceiptCode url={url} says="Scan to check this receipt." />
          <PrintedSignature receipt={receipt} issuer={issuer} />
        </ReceiptSlip>
      </div>
      <div className="grid grid-cols-1 gap-5 lg:col-start-2 print:hidden">
        <div className="flex flex-wrap gap-2">
          <ReceiptLink url={url} />
          <PrintButton />
        </div>
        <p className="text-sm text-soft">
          The payer or the merchant shares this page, and either can stop. The receipt says what was paid, not what was delivered.{' '}
          <a href="/docs/settlement">How payments settle</a>
        </p>
      </div>
    </div>
  )
}
