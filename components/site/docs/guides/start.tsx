import { Bot, Braces, CircleAlert, CircleDollarSign, type LucideIcon, Wallet, Webhook } from 'lucide-react'
import { facilitatorLines, merchantPrograms, sandboxSale } from '../../../client/programs/merchants'
import { Code } from '../../../ui/code/code'
import { CodeLink } from '../../../ui/code/tab-list'
import { labelId } from '../../../ui/code/tabs'
import { BaseUrlTerms } from './tables'

const TASKS = [
  {
    group: 'Sell',
    tasks: [
      {
        Icon: CircleDollarSign,
        title: 'Charge by use',
        href: '/docs/usage',
        about: 'The payer signs a maximum, and you charge what was used.',
      },
      {
        Icon: Webhook,
        title: 'Receive webhooks',
        href: '/docs/webhooks',
        about: 'Your server learns the outcome of every accepted payment, in signed messages.',
      },
    ],
  },
  {
    group: 'Pay',
    tasks: [
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
    ],
  },
  {
    group: 'Look up',
    tasks: [
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
    ],
  },
] as const

const CHIP = 'inline-block rounded-full border px-[0.7rem] py-[0.2rem] text-[0.88rem] text-soft no-underline hover:border-accent'

/** The base URLs, and the tasks of readers. The menu has all pages. */
export function Start({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <div className="mb-[1.6rem] grid grid-cols-1 gap-x-8 gap-y-[1.2rem] rounded-(--radius) border bg-card px-[1.4rem] py-[1.3rem] [--term:6rem] max-[40rem]:px-4 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className="grid grid-cols-1 content-start gap-4 max-[40rem]:[&_figcaption]:pl-[0.9rem] max-[40rem]:[&_pre]:px-[0.9rem] max-[40rem]:[&_pre]:text-[0.75rem]">
          <h2 className="text-[1.25rem]">Set one URL</h2>
          <p className="-mt-3 text-soft">Point any x402 server at this facilitator.</p>
          <Code name="Your server" code={facilitatorLines(sandboxSale(baseUrl))} language="typescript" />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
            <a className="button" href="/docs/quickstart">
              Quick start
            </a>
            <ul className="flex flex-wrap gap-2">
              {merchantPrograms.map(({ name }) => (
                <li key={name}>
                  <CodeLink code={labelId(name)} href="/docs/quickstart" className={CHIP}>
                    {name}
                  </CodeLink>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <div className="border-t pt-1 xl:border-t-0 xl:border-l xl:pt-0 xl:pl-[1.4rem] [&>dl]:h-full [&>dl]:border-0 [&>dl]:px-0 [&>dl>*]:content-center max-xl:[&>dl>:last-child]:pb-0">
          <BaseUrlTerms baseUrl={baseUrl} />
        </div>
      </div>
      <div className="grid grid-cols-1 gap-x-[0.9rem] gap-y-[1.4rem] pb-[1.4rem] min-[62rem]:grid-cols-3">
        {TASKS.map(({ group, tasks }) => (
          <section key={group} className="grid grid-rows-[auto_1fr]">
            <h2 className="mb-2 text-[1.15rem]">{group}</h2>
            <ul className="grid grid-cols-1 gap-[0.9rem] max-[40rem]:gap-[0.6rem] min-[40rem]:auto-rows-fr min-[40rem]:max-[62rem]:grid-cols-2">
              {tasks.map((task) => (
                <Task key={task.href} {...task} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

type TaskProps = { Icon: LucideIcon; title: string; href: string; about: string }

function Task({ Icon, title, href, about }: TaskProps) {
  return (
    <li>
      <a
        className="grid h-full grid-cols-[auto_minmax(0,1fr)] content-start gap-x-[0.9rem] gap-y-[0.1rem] rounded-(--radius) border bg-card px-4 py-[0.95rem] text-inherit no-underline hover:border-accent"
        href={href}
      >
        <Icon
          className="row-span-2 mt-[0.1rem] box-content self-start rounded-[9px] bg-wash p-2 text-accent"
          aria-hidden
          size={20}
        />
        <strong className="leading-[1.3] font-[650]">{title}</strong>
        <span className="text-[0.92rem] leading-[1.5] text-soft">{about}</span>
      </a>
    </li>
  )
}
