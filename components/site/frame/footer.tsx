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
    ],
  },
  {
    title: 'Account',
    links: [
      ['/dashboard', 'Dashboard'],
      ['/payments', 'Your payments'],
      ['/health', 'Service health'],
    ],
  },
] as const

/** The footer of public pages. */
export function Footer() {
  return (
    <footer className="foot">
      <nav className="foot-columns" aria-label="Footer">
        {COLUMNS.map(({ title, links }) => (
          <div key={title}>
            <p className="foot-title">{title}</p>
            <ul>
              {links.map(([href, name]) => (
                <li key={href}>
                  <a href={href}>{name}</a>
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
