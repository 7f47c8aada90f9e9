import { Brand } from './brand'

const LINKS = [
  ['/catalog', 'Catalog'],
  ['/docs', 'Docs'],
  ['/dashboard', 'Sign in'],
] as const

/** The header of public pages. */
export function PublicBar() {
  return (
    <header className="bar">
      <Brand />
      <nav aria-label="Pages">
        {LINKS.map(([href, title]) => (
          <a key={href} className="quiet" href={href}>
            {title}
          </a>
        ))}
      </nav>
    </header>
  )
}
