import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { ACTIONS } from '../frame/actions'
import { FlowPicture } from '../frame/flow-picture'
import { SECTION } from '../frame/section'
import { SAY, TRY } from './layout'
import { recorded } from './recorded'
import { StepList } from './step-list'
import { TryPayment } from './try-payment'

/** A live payment to the sample merchant at `merchantUrl`, or a recorded one without it. */
export function Playground({ merchantUrl }: { merchantUrl: string | null }) {
  return (
    <section className={SECTION} id="try">
      {merchantUrl === null ? <RecordedPayment /> : <TryPayment />}
    </section>
  )
}

function RecordedPayment() {
  return (
    <div className={TRY}>
      <div className={SAY}>
        <h2>One payment, step by step</h2>
        <p className="text-soft">
          Recorded on a local test network: today's weather for 0.001 USDC. Open a step to read its requests and responses.
        </p>
        <div className={cx(ACTIONS, 'mt-[0.8rem]')}>
          <a className={buttonClass({ look: 'primary', size: 'large' })} href="#start">
            Make your own payment
          </a>
        </div>
      </div>
      <FlowPicture steps={recorded} />
      <StepList steps={recorded} />
    </div>
  )
}
