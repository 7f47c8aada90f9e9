import type { Metadata } from 'next'
import { Explainer } from '@/components/site/explain/explainer'
import { PublicPage } from '@/components/site/frame/public-page'
import { EXPLAIN_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { headerExamples, offerExample } from '@/server/http/openapi/headers'

export const metadata: Metadata = pageMetadata({ title: 'Explain a payment', description: EXPLAIN_PITCH, path: '/explain' })

const EXAMPLES = {
  payment: `PAYMENT-SIGNATURE: ${headerExamples.v2}`,
  offer: `HTTP/1.1 402 Payment Required\ncontent-type: application/json\nPAYMENT-REQUIRED: ${offerExample}\n\n{}`,
  response: JSON.stringify(
    { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:84532' },
    null,
    2,
  ),
  settlement: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
}

export default function ExplainPage() {
  return (
    <PublicPage here="/explain" mainClassName="app grid grid-cols-1 content-start gap-6 pt-4 pb-12">
      <header className="grid gap-2.5">
        <h1 className="text-title font-[680] tracking-[-0.035em]">Explain a payment</h1>
        <p className="text-soft">See which check fails and how to fix it.</p>
      </header>
      <Explainer examples={EXAMPLES} />
    </PublicPage>
  )
}
