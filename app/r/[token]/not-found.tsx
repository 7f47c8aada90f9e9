import { ACTIONS } from '@/components/site/frame/actions'
import { EMPTY_PAGE, EMPTY_TITLE, LEAD } from '@/components/site/frame/empty-page'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { buttonClass } from '@/components/ui/button'
import { cx } from '@/components/ui/class-names'
import { BlankSlip } from '@/components/ui/panel'

/** The page of a link without a receipt. A withdrawn link and an unknown one look the same, so that a stranger cannot tell them apart. */
export default function ReceiptNotFound() {
  return (
    <>
      <PublicBar />
      <div className="page">
        <main id="text" className={cx(EMPTY_PAGE, 'w-full py-[1.6rem]')}>
          <BlankSlip />
          <h1 className={EMPTY_TITLE}>This receipt is not shared</h1>
          <p className={LEAD}>
            Its payer or its merchant withdrew the link, or part of the link is missing. Ask the person who sent it.
          </p>
          <p className={ACTIONS}>
            <a href="/explain" className={buttonClass({ look: 'primary', size: 'large' })}>
              Check with Explain
            </a>
            <a href="/home">Home</a>
            <a href="/payments">Receipts of your wallet</a>
            <a href="/docs/settlement">How payments settle</a>
          </p>
        </main>
        <Footer />
      </div>
    </>
  )
}
