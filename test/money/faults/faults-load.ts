import { v2Body } from '../../support/payloads/payments'
import { freshIp } from '../../support/service/client'
import { postTo } from '../../support/service/process'
import type { Customer, KillSetup } from '../kill/kills'
import type { Deployment, Operation } from './deployment'

/** The statuses that clients may get under overload. */
const ALLOWED = [200, 409, 429, 502, 503]

const SPIKE_A_SECOND = 100
const SPIKE_SECONDS = 5
const HOSTILE_A_SECOND = 200

const PAGES_A_SECOND = 60
/** As long as the longest page of the documentation takes on a quiet machine. */
const PAGE_MS = '136'
/** Pages that are kept, missing, rendered for each visitor, and rendered for the router of an open page. */
const PAGES = [
  ['/docs/errors', {}],
  ['/no-such', {}],
  ['/payments/1', {}],
  ['/docs/errors', { rsc: '1' }],
] as const

/** Starts steps at a fixed rate, however long each takes; resolves when every step has ended. */
async function steadily(aSecond: number, goesOn: (at: number) => boolean, step: (at: number) => Promise<void>): Promise<void> {
  const began = performance.now()
  const open: Promise<void>[] = []
  for (let at = 0; goesOn(at); at++) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + (at * 1_000) / aSecond - performance.now())))
    open.push(step(at))
  }
  await Promise.all(open)
}

/** A violation for each status that is not allowed. */
const unexpected = (statuses: ReadonlySet<number>) =>
  [...statuses].filter((status) => !ALLOWED.includes(status)).map((status) => `a client got ${status}`)

const customers = (setup: KillSetup, count: number) => Promise.all(Array.from({ length: count }, () => setup.newCustomer()))

const serviceAt = ({ services }: Deployment, at: number) => services[at % services.length]

async function pageStatus(url: string, ip: string, headers: Record<string, string>): Promise<number | null> {
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html', 'x-forwarded-for': ip, ...headers } })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return null
  }
}

/** A load spike, and floods of bad payments and of pages. */
export const ofLoads: readonly Operation[] = [
  {
    id: 'L2',
    what: `${SPIKE_A_SECOND} settles a second more for ${SPIKE_SECONDS} s`,
    tier: 'sandbox',
    allowed: ALLOWED,
    async prepare(setup) {
      const payers: Customer[] = []
      while (payers.length < SPIKE_A_SECOND * SPIKE_SECONDS) payers.push(...(await customers(setup, 50)))
      const statuses = new Set<number>()
      return {
        async happen(deployment) {
          await deployment.sleep(3_000)
          await steadily(
            SPIKE_A_SECOND,
            (at) => at < payers.length,
            async (at) => {
              const [customer, service] = [payers[at], serviceAt(deployment, at)]
              if (!customer || !service) return
              const answer = await setup.settle(service, customer)
              if (answer !== 'no answer') statuses.add(answer.status)
            },
          )
          while (deployment.lasts()) await deployment.sleep(500)
        },
        offences: () => unexpected(statuses),
      }
    },
  },
  {
    id: 'L3',
    what: `${HOSTILE_A_SECOND} settles a second whose signatures are bad`,
    tier: 'sandbox',
    allowed: ALLOWED,
    async prepare(setup) {
      // The signature of another payment.
      const [first, second] = await customers(setup, 2)
      if (!first || !second) throw new Error('two payers are needed')
      const body = v2Body({ ...first.payment, signature: second.payment.signature })
      const statuses = new Set<number>()
      let paid = 0
      return {
        happen: (deployment) =>
          steadily(HOSTILE_A_SECOND, deployment.lasts, async (at) => {
            const service = serviceAt(deployment, at)
            if (!service) return
            const answer = await postTo(service, '/sandbox/settle', body, freshIp())
            if (answer === 'no answer') return
            statuses.add(answer.status)
            if (answer.body.success === true) paid++
          }),
        offences: () => [...unexpected(statuses), ...(paid > 0 ? [`${paid} unsigned payments succeeded`] : [])],
      }
    },
  },
  {
    id: 'L4',
    what: `${PAGES_A_SECOND} pages a second from one address`,
    tier: 'sandbox',
    allowed: ALLOWED,
    async prepare() {
      const [attacker, statuses, others] = [freshIp(), new Set<number>(), new Set<number | null>()]
      return {
        variables: () => ({ PAGE_MS }),
        happen: (deployment) =>
          steadily(PAGES_A_SECOND, deployment.lasts, async (at) => {
            const [service, [path, headers]] = [serviceAt(deployment, at), PAGES[at % PAGES.length] ?? PAGES[0]]
            if (!service) return
            const status = await pageStatus(`${service.url}${path}?${at}`, attacker, headers)
            if (status !== null) statuses.add(status)
            // Once a second another visitor reads a page.
            if (at % PAGES_A_SECOND === 0) others.add(await pageStatus(`${service.url}/payments/2`, freshIp(), {}))
          }),
        offences: () => [
          ...unexpected(statuses),
          ...[...others]
            .filter((status) => status !== 200)
            .map((status) => `another visitor's page was ${status ?? 'no answer'}`),
        ],
      }
    },
  },
]
