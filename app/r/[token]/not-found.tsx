import { ACTIONS } from '@/components/site/frame/actions'
import { EMPTY_PAGE, EMPTY_TITLE, LEAD } from '@/components/site/frame/empty-page'
import { WithEmptySlip } from '@/components/site/frame/empty-slip'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { buttonClass } from '@/components/ui/button'
import { cx } from '@/components/ui/class-names'

/** The page of a link without a receipt. A withdrawn link and an unknown one look the same, so that a stranger cannot tell them apart. */
export default function ReceiptNotFound() {
  return (
    <>
      <PublicBar />
      <div className="page">
        <main id="text" className={cx(EMPTY_PAGE, 'w-full py-[1.6rem]')}>
          <WithEmptySlip stamp="Not shared">
            <h1 className={EMPTY_TITLE}>This receipt is not shared</h1>
            <p className={LEAD}>
              The payer or merchant stopped sharing it, or the link is incomplete. Ask the sender for a new link, or sign in if
              you paid or sold.
            </p>
            <p className={ACTIONS}>
              <a href="/payments" className={buttonClass({ look: 'primary', size: 'large' })}>
                See my payments
              </a>
              <a href="/dashboard/settlements">See my settlements</a>
            </p>
          </WithEmptySlip>
        </main>
        <Footer />
      </div>
    </>
  )
}
