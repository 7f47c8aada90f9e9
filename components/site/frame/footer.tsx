const COLUMNS = [
  {
    title: 'Product',
    links: [
      ['/home', 'Home'],
      ['/home#plans', 'Plans'],
      ['/catalog', 'Catalog'],
      ['/status', 'Status'],
    ],
  },
  {
    title: 'Documentation',
    links: [
      ['/docs/quickstart', 'Quick start'],
      ['/docs/api', 'API reference'],
      ['/docs/errors', 'Errors'],
      ['/explain', 'Explain a payment'],
    ],
  },
  {
    title: 'For programs',
    links: [
      ['/llms.txt', 'llms.txt'],
      ['/openapi.json', 'OpenAPI'],
      ['/supported', 'Networks'],
      ['/health', 'Health check'],
    ],
  },
  {
    title: 'Account',
    links: [
      ['/dashboard', 'Dashboard'],
      ['/payments', 'Your payments'],
    ],
  },
] as const

/** The footer of public pages. */
export function Footer() {
  return (
    <footer className="mt-8 grid gap-[1.4rem] border-t pt-[2.2rem] pb-12 text-[0.92rem] text-soft">
      <nav className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-[1.4rem]" aria-label="Footer">
        {COLUMNS.map(({ title, links }) => (
          <div key={title}>
            <p className="pb-2 font-semibold text-ink">{title}</p>
            <ul className="grid gap-[0.35rem]">
              {links.map(([href, name]) => (
                <li key={href}>
                  <a
                    href={href}
                    className="text-inherit no-underline hover:text-ink hover:underline phone:inline-block phone:py-1"
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <p>Quittance, an x402 payment facilitator</p>
    </footer>
  )
}
