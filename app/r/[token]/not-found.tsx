import { EMPTY_PAGE, EMPTY_TITLE, LEAD } from '@/components/site/frame/empty-page'
import { WithEmptySlip } from '@/components/site/frame/empty-slip'
import { PublicPage } from '@/components/site/frame/public-page'
import { buttonClass } from '@/components/ui/button'

/** The page of a link without a receipt. A withdrawn link and an unknown one look the same, so that a stranger cannot tell them apart. */
export default function ReceiptNotFound() {
  return (
    <PublicPage mainClassName={EMPTY_PAGE}>
      <WithEmptySlip word="Receipt" stamp="Not shared">
        <h1 className={EMPTY_TITLE}>No receipt at this link</h1>
        <p className={LEAD}>
          The payer or merchant stopped sharing it, or the link is incomplete. Ask the sender for a new link.
        </p>
        <h2 className="text-[1.1rem]">Is it yours?</h2>
        <p className="grid w-full max-w-[24rem]! grid-cols-2 gap-3 *:justify-center">
          <a href="/payments" className={buttonClass({ size: 'large' })}>
            My payments
          </a>
          <a href="/dashboard/settlements" className={buttonClass({ size: 'large' })}>
            My settlements
          </a>
        </p>
        <p>
          Have the transaction? <a href="/explain">Explain a payment</a>
        </p>
      </WithEmptySlip>
    </PublicPage>
  )
}
