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
    <section className="section" id="ways">
      <header>
        <h2>Get started</h2>
      </header>
      <div className="cards ways">
        {WAYS.map(({ title, text, links }) => (
          <article className="card" key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <div className="links">
              {links.map(([href, name]) => (
                <a key={href} href={href}>
                  {name}
                </a>
              ))}
            </div>
          </article>
        ))}
      </div>
    </section>
  )
}
