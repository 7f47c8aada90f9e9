import { CREDIT_PRICE, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { PRICED_CREDITS } from '@/server/accounts/credit-texts'
import { type Plan, type PlanName, plans } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { displayMoney } from '@/server/x402/networks/amounts'
import { USDC } from '@/server/x402/networks/assets'
import { preconfirming, type Served, titlesOf } from './served'

type Offer = { title: string; price: string; unit: string; about: string; link: readonly [href: string, text: string] }

// Where the operator publishes no contact, the limits say how an account moves to a larger plan.
const BY_OPERATOR = ['/docs/limits#plans', 'How to get it'] as const

/** Who each plan is for and what it costs. The operator sells the others. The limits come from the table that enforces them. */
const OFFERS = {
  sandbox: {
    title: 'Sandbox',
    price: 'Free',
    unit: 'no account',
    about: 'Test money, to try everything. The limits are per IP address.',
    link: ['#start', 'Start now'],
  },
  free: {
    title: 'Free',
    price: 'Free',
    unit: 'with an account',
    about: 'Real money for your first customers.',
    link: ['/dashboard/keys?new=true', 'Create a key'],
  },
  starter: {
    title: 'Starter',
    price: 'By agreement',
    unit: 'with the operator',
    about: 'For an API with steady callers.',
    link: BY_OPERATOR,
  },
  growth: {
    title: 'Growth',
    price: 'By agreement',
    unit: 'with the operator',
    about: 'Adds Flash: answers before the block.',
    link: BY_OPERATOR,
  },
  scale: {
    title: 'Scale',
    price: 'By agreement',
    unit: 'with the operator',
    about: 'For high volume, with Flash.',
    link: BY_OPERATOR,
  },
  agent: {
    title: 'Agent',
    price: displayMoney(BigInt(PRICED_CREDITS) * CREDIT_PRICE, USDC),
    unit: `for ${whole(PRICED_CREDITS)} credits`,
    about: 'A wallet pays in advance, without an account.',
    link: ['/docs/payers-and-agents#agents', 'Buy credits'],
  },
} as const satisfies Record<PlanName, Offer>

/** The prices in US dollars a month that the operator set, and where to ask for a plan. */
type Sale = Pick<AppConfig, 'planPrices' | 'planContact'>

/** The plans with their prices and what they include, as a table; on a narrow screen each plan unfolds. */
export function Plans({ sale, served }: { sale: Sale; served: Served }) {
  const offers = Object.entries(plans).flatMap(([name, plan]) =>
    isOffered(name) ? { name, offer: offerOf(name, sale), included: includedIn(name, plan, served) } : [],
  )
  return (
    <section className="section" id="plans">
      <header>
        <h2>Plans</h2>
        <p className="muted">
          We pay the gas on every plan, and take no share of your payments. We return units for failures on our side.{' '}
          <a href="/docs/limits">All limits</a>
        </p>
      </header>
      <table className="plans">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            <th scope="col">Price</th>
            {COLUMNS.map(({ name, per }) => (
              <th key={name} scope="col">
                {name} {per}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {offers.map(({ name, ...row }) => (
            <PlanRow key={name} {...row} />
          ))}
        </tbody>
      </table>
      <div className="plans-narrow">
        {offers.map(({ name, ...part }) => (
          <PlanPart key={name} {...part} />
        ))}
      </div>
      <p className="muted plans-note">
        Months are calendar months in UTC.
        {sale.planContact === null ? ' The operator of this service moves an account to a larger plan.' : ''}
      </p>
    </section>
  )
}

type PlanProps = { offer: Offer; included: Record<Column, string> }

function PlanRow({ offer, included }: PlanProps) {
  const { title, price, unit, about } = offer
  return (
    <tr>
      <th scope="row">
        <strong>{title}</strong>
        <p>{about}</p>
      </th>
      <td className="plan-price">
        <strong>{price}</strong>
        <span>{unit}</span>
      </td>
      {COLUMNS.map(({ name }) => (
        <td key={name} data-name={name}>
          {included[name]}
        </td>
      ))}
      <td className="plan-link">
        <PlanLink {...offer} />
      </td>
    </tr>
  )
}

function PlanPart({ offer, included }: PlanProps) {
  const { title, price, unit, about } = offer
  return (
    <details>
      <summary className="unfolds">
        <span className="plan-name">{title}</span>
        <span className="plan-sum">
          {price} <small>{unit}</small>
        </span>
      </summary>
      <p>{about}</p>
      <dl>
        {COLUMNS.map(({ name, per }) => (
          <div key={name}>
            <dt>
              {name} {per}
            </dt>
            <dd>{included[name]}</dd>
          </div>
        ))}
      </dl>
      <PlanLink {...offer} />
    </details>
  )
}

function PlanLink({ title, link: [href, text] }: Offer) {
  return (
    <a href={href} aria-label={`${text}: ${title}`}>
      {text}
    </a>
  )
}

function offerOf(name: PlanName, { planPrices, planContact }: Sale): Offer {
  const offer: Offer = OFFERS[name]
  const price = planPrices.get(name)
  return {
    ...offer,
    ...(price === undefined ? {} : { price: `$${price}`, unit: 'a month' }),
    ...(offer.link === BY_OPERATOR && planContact !== null ? { link: [planContact, 'Contact'] } : {}),
  }
}

const COLUMNS = [
  { name: 'Settlements', per: 'a month' },
  { name: 'Verifications', per: 'a month' },
  { name: 'Requests', per: 'a second' },
  { name: 'Networks', per: null },
  { name: 'Flash', per: null },
] as const

type Column = (typeof COLUMNS)[number]['name']

function includedIn(name: PlanName, plan: Plan, served: Served): Record<Column, string> {
  const units =
    name === 'agent'
      ? { Settlements: '1 a credit', Verifications: `${VERIFICATIONS_PER_CREDIT} a credit` }
      : { Settlements: whole(plan.settlements), Verifications: whole(plan.verifications) }
  const quick = titlesOf(preconfirming(served))
  return {
    ...units,
    Requests: whole(plan.requestsPerSecond),
    Networks: titlesOf(name === 'sandbox' ? served.sandbox : served.standard) || '–',
    Flash: plan.flash && quick ? `On ${quick}` : '–',
  }
}

const isOffered = (name: string): name is PlanName => Object.hasOwn(OFFERS, name)

/** A whole number with separators. */
export function whole(number: number): string {
  return number.toLocaleString('en')
}
