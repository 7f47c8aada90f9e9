import { CREDIT_PRICE, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { PRICED_CREDITS } from '@/server/accounts/credit-texts'
import { type Plan, type PlanName, plans } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { displayMoney } from '@/server/x402/networks/amounts'
import { USDC } from '@/server/x402/networks/assets'
import { cx } from '../../ui/class-names'
import { Section } from '../frame/section'
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
    price: 'On request',
    unit: '',
    about: 'For an API with steady callers.',
    link: BY_OPERATOR,
  },
  growth: {
    title: 'Growth',
    price: 'On request',
    unit: '',
    about: 'Adds Flash: answers before the block.',
    link: BY_OPERATOR,
  },
  scale: {
    title: 'Scale',
    price: 'On request',
    unit: '',
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
    <Section
      id="plans"
      title="Plans"
      about={
        <>
          We pay the gas on every plan, and take no share of your payments. Failures on our side do not count against your limits.{' '}
          <a href="/docs/limits">All limits</a>
        </>
      }
    >
      <table className="frame w-full border-separate border-spacing-0 overflow-hidden text-[0.9rem] leading-normal max-[62.01rem]:hidden">
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              Plan
            </th>
            <th scope="col" className={HEAD}>
              Price
            </th>
            {COLUMNS.map(({ name, per, look }) => (
              <th key={name} scope="col" className={cx(HEAD, look)}>
                {name} {per}
              </th>
            ))}
            <td className={HEAD} />
          </tr>
        </thead>
        <tbody>
          {offers.map(({ name, ...row }) => (
            <PlanRow key={name} {...row} />
          ))}
        </tbody>
      </table>
      <div className="frame text-[0.92rem] leading-normal min-[62.01rem]:hidden">
        {offers.map(({ name, ...part }) => (
          <PlanPart key={name} {...part} />
        ))}
      </div>
      <p className="-mt-[0.8rem] text-[0.85rem] text-soft">Months are calendar months in UTC.</p>
    </Section>
  )
}

const EDGES = 'px-[0.7rem] first:pl-[1.35rem] last:pr-[1.35rem]'
const HEAD = `${EDGES} py-[0.6rem] text-left align-top text-[0.82rem] text-soft`
const CELL = `${EDGES} border-t py-[0.85rem] text-left align-top`
const STRONG = 'font-[650]'

type PlanProps = { offer: Offer; included: Record<Column, string> }

function PlanRow({ offer, included }: PlanProps) {
  const { title, price, unit, about } = offer
  return (
    <tr>
      <th scope="row" className={CELL}>
        <strong className={STRONG}>{title}</strong>
        <p className="text-[0.88rem] text-soft">{about}</p>
      </th>
      <td className={cx(CELL, 'tabular-nums whitespace-nowrap')}>
        <strong className={cx(STRONG, 'block')}>{price}</strong>
        {unit ? <span className="text-[0.85rem] text-soft">{unit}</span> : null}
      </td>
      {COLUMNS.map(({ name, look }) => (
        <td key={name} className={cx(CELL, 'tabular-nums', look)}>
          {included[name]}
        </td>
      ))}
      <td className={cx(CELL, 'font-semibold whitespace-nowrap')}>
        <PlanLink {...offer} />
      </td>
    </tr>
  )
}

function PlanPart({ offer, included }: PlanProps) {
  const { title, price, unit, about } = offer
  return (
    <details className="px-[1.1rem] not-first:border-t open:pb-4">
      <summary className="unfolds flex items-baseline gap-[0.7rem] py-[0.8rem] after:self-center">
        <span className={STRONG}>
          {title}
          <small className="block text-[0.85rem] font-normal text-soft">
            Settlements: {included.Settlements}
            {title === OFFERS.agent.title ? '' : ' a month'}
          </small>
        </span>
        <span className={cx(STRONG, 'ml-auto text-right whitespace-nowrap')}>
          {price} {unit ? <small className="block text-[0.85rem] font-normal text-soft">{unit}</small> : null}
        </span>
      </summary>
      <p className="text-soft">{about}</p>
      <dl className="mt-2 mb-[0.7rem]">
        {COLUMNS.map(({ name, per }) => (
          <div key={name} className="flex justify-between gap-4 py-[0.15rem]">
            <dt className="text-soft">
              {name} {per}
            </dt>
            <dd className="text-right tabular-nums">{included[name]}</dd>
          </div>
        ))}
      </dl>
      <PlanLink {...offer} className="font-semibold" />
    </details>
  )
}

function PlanLink({ title, link: [href, text], className }: Offer & { className?: string }) {
  return (
    <a href={href} className={className} aria-label={`${text}: ${title}`}>
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
    ...(offer.link === BY_OPERATOR && planContact !== null ? { link: [planContact, 'Contact us'] } : {}),
  }
}

// Numbers below each other compare at a glance.
const COLUMNS = [
  { name: 'Settlements', per: 'a month', look: 'text-right' },
  { name: 'Verifications', per: 'a month', look: 'text-right' },
  { name: 'Requests', per: 'a second', look: 'text-right' },
  { name: 'Flash', per: null, look: 'whitespace-nowrap' },
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
    Flash: plan.flash && quick ? `On ${quick}` : '–',
  }
}

const isOffered = (name: string): name is PlanName => Object.hasOwn(OFFERS, name)

/** A whole number with separators. */
export function whole(number: number): string {
  return number.toLocaleString('en')
}
