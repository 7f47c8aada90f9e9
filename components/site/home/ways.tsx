import { Section } from '../frame/section'

const WAYS = [
  {
    title: 'You run an API',
    text: 'Add one middleware. Callers need no account and no card: each request pays straight to your wallet.',
    links: [
      ['/dashboard/start', 'Quick start'],
      ['/docs/quickstart', 'Docs'],
    ],
  },
  {
    title: 'You build an agent',
    text: 'Sign and retry. Your agent needs only USDC, and can buy its own API key with it.',
    links: [
      ['/docs/payers-and-agents', 'Agents'],
      ['/llms.txt', 'llms.txt'],
    ],
  },
  {
    title: 'You look for APIs',
    text: 'The catalog lists APIs that were paid in the last 90 days, with their prices and recent use.',
    links: [['/catalog', 'Catalog']],
  },
  {
    title: 'You pay from a wallet',
    text: 'A signature pays one exact amount to one address, at most once. Each payment has a receipt.',
    links: [['/payments', 'Your payments']],
  },
] as const

/** Next steps for each kind of visitor. */
export function Ways() {
  return (
    <Section id="ways" title="Get started">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-4 phone:gap-3">
        {WAYS.map(({ title, text, links }) => (
          <article
            className="grid min-w-0 grid-rows-[auto_1fr_auto] content-start gap-[0.55rem] frame px-[1.35rem] pt-[1.3rem] pb-[1.4rem] phone:grid-cols-[1fr_auto] phone:grid-rows-[auto_auto] phone:items-baseline phone:px-[1.1rem] phone:py-4"
            key={title}
          >
            <h3>{title}</h3>
            <p className="text-[0.98rem] text-soft phone:col-span-full phone:row-start-2">{text}</p>
            <div className="flex flex-wrap gap-x-[1.1rem] gap-y-[0.2rem] pt-[0.3rem] text-[0.95rem] font-semibold phone:pt-0">
              {links.map(([href, name]) => (
                <a key={href} href={href}>
                  {name}
                </a>
              ))}
            </div>
          </article>
        ))}
      </div>
    </Section>
  )
}
