import { recorded } from './recorded'
import { StepList } from './step-list'
import { TryPayment } from './try-payment'

/** A payment to watch: made now, where a local world has a merchant for it, or as it was recorded in one. `shop` is that merchant's URL. */
export function Playground({ shop }: { shop: string | null }) {
  return (
    <section className="section" id="try">
      {shop === null ? <RecordedPayment /> : <TryPayment shop={shop} />}
    </section>
  )
}

function RecordedPayment() {
  return (
    <div className="try">
      <div className="say">
        <h2>See a payment</h2>
        <p className="muted">
          Recorded in a local world with test money: a tenth of a cent for today’s weather. Unfold a step to read what was sent
          and got.
        </p>
        <div className="actions">
          <a className="button" href="#start">
            Make your own
          </a>
          <a href="/dashboard/start">Quick start</a>
        </div>
      </div>
      <StepList steps={recorded} />
    </div>
  )
}
