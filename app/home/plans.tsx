import { CREDIT_PRICE, type Plan, type PlanName, plans, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { displayAmount } from '@/server/x402/amounts'
import { environmentOf, networks, prefixNetworks } from '@/server/x402/networks'

type Offer = { title: string; price: string; unit: string; about: string; link: readonly [href: string, text: string] }

const CREDITS = 1_000n

const OPERATOR = ['/docs/limits', 'Compare the limits'] as const

/** Who each plan is for and what it costs. The limits come from the table that enforces them. */
const OFFERS = {
  sandbox: {
    title: 'Sandbox',
    price: 'Free',
    unit: 'no account',
    about: 'Try everything with test money.',
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
    link: OPERATOR,
  },
  growth: {
    title: 'Growth',
    price: 'By agreement',
    unit: 'with the operator',
    about: 'Adds flash: answers before the block.',
    link: OPERATOR,
  },
  scale: {
    title: 'Scale',
    price: 'By agreement',
    unit: 'with the operator',
    about: 'For high volume, with flash.',
    link: OPERATOR,
  },
  agent: {
    title: 'Agent',
    price: `${displayAmount(CREDITS * CREDIT_PRICE)} USDC`,
    unit: `for ${whole(Number(CREDITS))} credits`,
    about: 'A wallet pays in advance, without an account.',
    link: ['/docs/payers-and-agents#agents', 'Buy credits'],
  },
} as const satisfies Record<PlanName, Offer>

const LARGER_PLANS = ['starter', 'growth', 'scale'] as const satisfies PlanName[]

/** The prices in US dollars a month that the operator set, and where to ask for a plan. */
type Sale = Pick<AppConfig, 'planPrices' | 'planContact'>

/** The plans with their prices and what they include. */
export function Plans({ sale }: { sale: Sale }) {
  // Without a price and a contact, one card says what three would.
  const merged: PlanName[] = sale.planContact === null ? LARGER_PLANS.filter((name) => !sale.planPrices.has(name)) : []
  const largest = merged.at(-1)
  return (
    <section className="section" id="plans">
      <header>
        <h2>Plans</h2>
        <p className="muted">
          We pay the gas on every plan, and take no share of your payments. Months are calendar months in UTC. We return units for
          failures on our side.
        </p>
      </header>
      <div className="cards plans">
        {Object.entries(plans).map(([name, plan]) =>
          isOffered(name) && !merged.includes(name) ? (
            <PlanCard key={name} offer={offerOf(name, sale)} included={includedIn(name, plan)} />
          ) : null,
        )}
        {largest ? <PlanCard offer={largerOffer(merged)} included={includedIn(largest, plans[largest]).map(upTo)} /> : null}
      </div>
    </section>
  )
}

function PlanCard({ offer, included }: { offer: Offer; included: string[] }) {
  const { title, price, unit, about, link } = offer
  const [href, text] = link
  return (
    <article className="card">
      <h3>{title}</h3>
      <p className="plan-price">
        <strong>{price}</strong> {unit}
      </p>
      <p>{about}</p>
      <ul>
        {included.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <a href={href}>{text}</a>
    </article>
  )
}

function offerOf(name: PlanName, { planPrices, planContact }: Sale): Offer {
  const offer: Offer = OFFERS[name]
  const price = planPrices.get(name)
  return {
    ...offer,
    ...(price === undefined ? {} : { price: `$${price}`, unit: 'a month' }),
    ...(offer.link === OPERATOR && planContact !== null ? { link: [planContact, 'Ask for it'] } : {}),
  }
}

function largerOffer(names: readonly PlanName[]): Offer {
  const titles = new Intl.ListFormat('en-GB').format(names.map((name) => OFFERS[name].title))
  const { price, unit, link } = OFFERS.scale
  return { title: 'Larger plans', price, unit, about: `${titles}, for APIs with more callers.`, link }
}

function upTo(line: string): string {
  if (/^\d/.test(line)) return `Up to ${line}`
  return line.startsWith('Flash') ? `${line}, from Growth on` : line
}

function includedIn(name: PlanName, plan: Plan): string[] {
  const units =
    name === 'agent'
      ? ['1 settlement per credit', `${VERIFICATIONS_PER_CREDIT} verifications per credit`]
      : [`${whole(plan.settlements)} settlements a month`, `${whole(plan.verifications)} verifications a month`]
  return [
    ...units,
    `${whole(plan.requestsPerSecond)} requests per second${name === 'sandbox' ? ', per IP address' : ''}`,
    networksOf(name),
    ...(plan.flash ? ['Flash on Base'] : []),
  ]
}

function networksOf(name: PlanName): string {
  const served = name === 'sandbox' ? prefixNetworks.sandbox : prefixNetworks.v1.filter((id) => environmentOf(id) === 'mainnet')
  return `${served.map((id) => networks[id].title).join(' and ')}${name === 'sandbox' ? '' : ', and Base Sepolia'}`
}

const isOffered = (name: string): name is PlanName => Object.hasOwn(OFFERS, name)

/** A whole number with separators. */
export function whole(number: number): string {
  return number.toLocaleString('en')
}
