import { DocsSection } from '../article'
import { guides } from '../pages'

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
          Base builds each block in parts and publishes every part before the block is complete. Settle answers when your transfer
          is in a part, after about 200 milliseconds. This is a preconfirmation. Solana keeps its usual speed.
        </p>
      </DocsSection>
      <DocsSection section={differences}>
        <ul>
          <li>Settle waits up to 3 seconds instead of 20, then answers settlement_pending.</li>
          <li>
            A preconfirmation is not final. In rare cases the block lacks the transfer; then we send it again. If the payer has
            spent the money by then, you receive the webhook <code>payment.reversed</code>.
          </li>
          <li>
            A caller can have at most 10,000 USDC preconfirmed and not yet in a block. Above that, settle answers 429 with{' '}
            <a href="/docs/errors#reason-flash_volume_exceeded">flash_volume_exceeded</a>.
          </li>
          <li>If preconfirmations are unavailable, flash answers 502. It never silently falls back to the usual speed.</li>
        </ul>
        <p>Use flash where a person waits. For large amounts, use the usual URL: it answers when the transfer is in a block.</p>
      </DocsSection>
    </>
  )
}
