import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { Unread } from '@/components/site/catalog/nothing'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { pictureWords } from '@/components/site/receipt/picture'
import { PublicReceipt } from '@/components/site/receipt/public-receipt'
import { currentApp } from '@/server/app'
import { receiptUrl } from '@/server/ledger/statements/receipt-links'
import { publicReceipt } from '@/server/payments/public-receipts'

type Props = { params: Promise<{ token: string }> }

// The page and its title read the same receipt, once.
const receiptAt = cache(async (token: string) => publicReceipt(currentApp(), await headers(), token))

/** Search engines do not list shared receipts. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { token } = await params
  const found = await receiptAt(token)
  if (found === null || 'refused' in found) return { title: 'Receipt', robots: { index: false } }
  const { merchant, amount, state } = pictureWords(found.receipt)
  const page = {
    title: `Receipt: ${amount} to ${merchant}`,
    description: `${state}. The page checks the signature of the receipt in your browser.`,
    path: `/r/${token}`,
  }
  return { ...pageMetadata(page, `/r/${token}/picture`), robots: { index: false, follow: false } }
}

export default async function PublicReceiptPage({ params }: Props) {
  const { token } = await params
  const found = await receiptAt(token)
  if (found === null) notFound()
  return (
    <>
      <div className="print:hidden">
        <PublicBar />
      </div>
      <div className="page">
        <main id="text" className="app grid min-h-[60vh] grid-cols-1 content-start pt-4 pb-12 print:p-0">
          {'refused' in found ? (
            <Unread title="This receipt could not be read" level={1} text={found.refused}>
              <a href={`/r/${token}`}>Try again</a>
            </Unread>
          ) : (
            <PublicReceipt receipt={found.receipt} url={receiptUrl(currentApp().config.baseUrl, token)} />
          )}
        </main>
        <div className="print:hidden">
          <Footer />
        </div>
      </div>
    </>
  )
}
