import { guides } from '@/app/docs/pages'
import { DocsSection } from '@/components/docs/article'

const [use, differences] = guides.flash.sections

/** Settlement at preconfirmation. */
export function Flash({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <DocsSection section={use}>
        <p>
          Add <code>/flash</code> to your base URL; nothing else changes. The plans growth and scale include it.
        </p>
        <pre className="plain">
          <code>{baseUrl}/v1/&lt;API_KEY&gt;/flash</code>
        </pre>
        <p>
          On Base, a block is built in parts. The sequencer promises each part before the block is complete. Settle answers when
          your transfer is in such a part, after about 200 milliseconds. Solana keeps its usual speed.
        </p>
      </DocsSection>
      <DocsSection section={differences}>
        <ul>
          <li>Settle waits up to 3 seconds instead of 20, then answers settlement_pending.</li>
          <li>
            A promise is not a block. If a block lacks the transfer, we send it again. If its money is gone by then, the webhook{' '}
            <code>payment.reversed</code> tells you. This is rare.
          </li>
          <li>
            At most 10,000 USDC of a caller may be promised and in no block yet. Above that, settle answers 429 with{' '}
            <a href="/docs/errors#reason-flash_volume_exceeded">flash_volume_exceeded</a>.
          </li>
          <li>
            If the service for preconfirmations is down, flash answers 502. It never falls back to the usual speed silently.
          </li>
        </ul>
        <p>Use flash where a person waits. For large amounts, use the usual URL: it answers when the transfer is in a block.</p>
      </DocsSection>
    </>
  )
}
