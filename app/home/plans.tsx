import { CREDIT_PRICE, type Plan, plans, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/plans'
import { displayAmount } from '@/server/x402/amounts'

/** The limits of each plan, from the table that enforces them. */
export function Plans() {
  return (
    <section className="section" id="plans">
      <header>
        <h2>Plans</h2>
        <p className="muted">
          Settlements and verifications count per calendar month (UTC). We return units for failures on our side.
        </p>
      </header>
      <div className="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Settlements</th>
              <th scope="col">Verifications</th>
              <th scope="col">
                Requests <span className="unit">per second</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(plans).map(([name, plan]) =>
              name === 'agent' ? <AgentRow key={name} plan={plan} /> : <Row key={name} name={name} plan={plan} />,
            )}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ name, plan }: { name: string; plan: Plan }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{whole(plan.settlements)}</td>
      <td>{whole(plan.verifications)}</td>
      <td>{whole(plan.requestsPerSecond)}</td>
    </tr>
  )
}

/** Agents prepay instead of using a monthly quota. */
function AgentRow({ plan }: { plan: Plan }) {
  return (
    <tr>
      <th scope="row">agent</th>
      <td>1 per credit; {displayAmount(1_000n * CREDIT_PRICE)} USDC buys 1,000</td>
      <td>{VERIFICATIONS_PER_CREDIT} per credit</td>
      <td>{whole(plan.requestsPerSecond)}</td>
    </tr>
  )
}

/** A whole number with separators. */
export function whole(number: number): string {
  return number.toLocaleString('en')
}
