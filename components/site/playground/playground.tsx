import { FlowPicture } from '../frame/flow-picture'
import { recorded } from './recorded'
import { StepList } from './step-list'
import { TryPayment } from './try-payment'

/** A live payment to the sample merchant at `merchantUrl`, or a recorded one without it. */
export function Playground({ merchantUrl }: { merchantUrl: string | null }) {
  return (
    <section className="section" id="try">
      {merchantUrl === null ? <RecordedPayment /> : <TryPayment merchantUrl={merchantUrl} />}
    </section>
  )
}

function RecordedPayment() {
  return (
    <div className="try">
      <div className="say">
        <h2>One payment, step by step</h2>
        <p className="muted">
          Recorded on a local test network: a tenth of a cent for today’s weather. Open a step to read its requests and responses.
        </p>
        <div className="actions">
          <a className="button" href="#start">
            Make your own payment
          </a>
        </div>
      </div>
      <FlowPicture steps={recorded} />
      <StepList steps={recorded} />
    </div>
  )
}
