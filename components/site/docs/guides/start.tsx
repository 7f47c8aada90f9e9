import { Bot, Braces, CircleAlert, CircleDollarSign, Wallet, Webhook } from 'lucide-react'
import { facilitatorLines, sandboxSale } from '../../../client/programs/merchants'
import { Code } from '../../../ui/code/code'
import { type DocsGroup, OPERATOR } from '../pages'

const TASKS = [
  {
    Icon: CircleDollarSign,
    title: 'Charge for your API',
    href: '/docs/quickstart',
    about: 'A paid route in five minutes, with Express, Hono, Next.js or Python.',
  },
  {
    Icon: Wallet,
    title: 'Pay from code or a wallet',
    href: '/docs/payers-and-agents#pay',
    about: 'The official client signs a transfer. You need USDC and no gas.',
  },
  {
    Icon: Bot,
    title: 'Give an agent its own endpoint',
    href: '/docs/payers-and-agents#agents',
    about: 'A wallet buys credits and gets a facilitator URL, without an account.',
  },
  {
    Icon: Webhook,
    title: 'Receive webhooks',
    href: '/docs/webhooks',
    about: 'Your server learns the outcome of every accepted payment, in signed messages.',
  },
  {
    Icon: CircleAlert,
    title: 'Understand a failed payment',
    href: '/docs/errors',
    about: 'Every reason and status, with what it means and what to do.',
  },
  {
    Icon: Braces,
    title: 'Use the API',
    href: '/docs/api',
    about: 'All routes with their fields, and requests to copy.',
  },
] as const

/** The first lines of code, the tasks of readers, and all pages; where the menu stands, only those at its end. */
export function Start({ groups, baseUrl }: { groups: readonly DocsGroup[]; baseUrl: string }) {
  return (
    <>
      <div className="docs-first">
        <div>
          <h2>Set one URL</h2>
          <p>Point any x402 server at this facilitator. The sandbox uses test money and needs no account.</p>
          <a className="button" href="/docs/quickstart">
            Quick start
          </a>
        </div>
        <Code name="In your server" code={facilitatorLines(sandboxSale(baseUrl))} language="typescript" />
      </div>
      <ul className="docs-tasks">
        {TASKS.map(({ Icon, title, href, about }) => (
          <li key={href}>
            <a href={href}>
              <Icon aria-hidden size={20} />
              <strong>{title}</strong>
              <span>{about}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="docs-index">
        {groups
          .filter(({ title }) => title !== OPERATOR)
          .map((group) => (
            <Pages key={group.title} group={group} />
          ))}
        <div>
          <h2>For programs</h2>
          <ul>
            <li>
              <a href="/openapi.json">/openapi.json</a>
            </li>
            <li>
              <a href="/llms.txt">/llms.txt</a>
            </li>
          </ul>
        </div>
        {groups
          .filter(({ title }) => title === OPERATOR)
          .map((group) => (
            <Pages key={group.title} group={{ ...group, title: 'Run it yourself' }} isLast />
          ))}
      </div>
    </>
  )
}

function Pages({ group: { title, pages }, isLast = false }: { group: DocsGroup; isLast?: boolean }) {
  return (
    <div className={isLast ? undefined : 'guides'}>
      <h2>{title}</h2>
      <ul>
        {pages.map(({ path, title: name }) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
