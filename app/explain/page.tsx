import type { Metadata } from 'next'
import { Explainer } from '@/components/site/explain/explainer'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { EXPLAIN_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { headerExamples } from '@/server/http/openapi/headers'

export const metadata: Metadata = pageMetadata({ title: 'Explain a payment', description: EXPLAIN_PITCH, path: '/explain' })

export default function ExplainPage() {
  return (
    <>
      <PublicBar here="/explain" />
      <div className="page">
        <main id="text" className="app grid grid-cols-1 content-start gap-6 pt-4 pb-12">
          <header className="grid gap-1">
            <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">Explain a payment</h1>
            <p className="max-w-prose text-soft">
              Paste a payment, a response or an ID. You see which check of verify fails and how to fix it. Nothing is submitted
              on-chain, and no URL is fetched.
            </p>
          </header>
          <Explainer example={`PAYMENT-SIGNATURE: ${headerExamples.v2}`} />
        </main>
        <Footer />
      </div>
    </>
  )
}
