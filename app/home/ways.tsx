const WAYS = [
  {
    title: 'You run an API',
    text: 'Add one middleware. No accounts, cards or invoices: each request pays for itself, straight to your own wallet.',
    links: [
      ['/dashboard/start', 'Quick start'],
      ['/docs', 'Docs'],
    ],
  },
  {
    title: 'You build an agent',
    text: 'Sign and retry. Your wallet needs stablecoin and nothing else; it can buy a key of its own with it.',
    links: [
      ['/docs#agents', 'Agents'],
      ['/llms.txt', 'llms.txt'],
    ],
  },
  {
    title: 'You look for APIs',
    text: 'The catalog lists what is sold by the request; a settled payment has shown each entry to work.',
    links: [['/catalog', 'Catalog']],
  },
  {
    title: 'You pay from a wallet',
    text: 'A signature moves exactly the amount, recipient and time you signed. It is used once or never.',
    links: [['/payments', 'Your payments']],
  },
] as const

/** Where to go from here, by who one is. */
export function Ways() {
  return (
    <section className="section" id="ways">
      <header>
        <h2>Your way in</h2>
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
