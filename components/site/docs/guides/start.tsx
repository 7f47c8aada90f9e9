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

/** The first lines of code, the tasks of readers, and what is for programs and operators. The menu has all pages. */
export function Start({ groups, baseUrl }: { groups: readonly DocsGroup[]; baseUrl: string }) {
  return (
    <>
      <div className="mb-[0.9rem] grid grid-cols-1 items-center gap-x-8 gap-y-[1.2rem] rounded-(--radius) border bg-card px-[1.4rem] py-[1.3rem] min-[62rem]:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <div>
          <h2 className="text-[1.25rem]">Set one URL</h2>
          <p className="mt-[0.3rem] mb-4 text-soft">
            Point any x402 server at this facilitator. The sandbox uses test money and needs no account.
          </p>
          <a className="button" href="/docs/quickstart">
            Quick start
          </a>
        </div>
        <Code name="In your server" code={facilitatorLines(sandboxSale(baseUrl))} language="typescript" />
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] gap-[0.9rem] pb-[1.4rem] max-[40rem]:gap-[0.6rem] min-[62rem]:grid-cols-3">
        {TASKS.map(({ Icon, title, href, about }) => (
          <li key={href}>
            <a
              className="grid h-full content-start gap-[0.3rem] rounded-(--radius) border bg-card px-[1.2rem] pt-[1.1rem] pb-[1.2rem] text-inherit no-underline hover:border-accent max-[40rem]:grid-cols-[auto_minmax(0,1fr)] max-[40rem]:gap-x-[0.9rem] max-[40rem]:gap-y-[0.1rem] max-[40rem]:px-4 max-[40rem]:py-[0.85rem]"
              href={href}
            >
              <Icon
                className="mb-[0.45rem] box-content rounded-[9px] bg-wash p-2 text-accent max-[40rem]:row-span-2 max-[40rem]:mt-[0.1rem] max-[40rem]:mb-0 max-[40rem]:self-start"
                aria-hidden
                size={20}
              />
              <strong className="leading-[1.3] font-[650]">{title}</strong>
              <span className="text-[0.92rem] leading-[1.5] text-soft">{about}</span>
            </a>
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(50%-1rem,10.5rem),1fr))] gap-x-[1.6rem] gap-y-[1.4rem] pt-[0.6rem]">
        <Links title="For programs" links={PROGRAMS} />
        {groups
          .filter(({ title }) => title === OPERATOR)
          .map((group) => (
            <Links key={group.title} title="Run it yourself" links={group.pages} />
          ))}
      </div>
    </>
  )
}

const PROGRAMS = ['/openapi.json', '/llms.txt'].map((path) => ({ path, title: path }))

type LinksProps = { title: string; links: readonly { path: string; title: string }[] }

function Links({ title, links }: LinksProps) {
  return (
    <div>
      <h2 className="mb-[0.45rem] text-[0.85rem] text-soft">{title}</h2>
      <ul>
        {links.map(({ path, title: name }) => (
          <li key={path}>
            <a className="inline-block py-[0.2rem] text-[0.95rem] no-underline hover:underline" href={path}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
