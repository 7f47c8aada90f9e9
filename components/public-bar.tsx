import { Brand } from './brand'

const PLACES = [
  ['/catalog', 'Catalog'],
  ['/docs', 'Docs'],
  ['/dashboard', 'Sign in'],
] as const

/** The head of every page that needs no sign-in. */
export function PublicBar() {
  return (
    <header className="bar">
      <Brand />
      <nav aria-label="Pages">
        {PLACES.map(([href, title]) => (
          <a key={href} className="quiet" href={href}>
            {title}
          </a>
        ))}
      </nav>
    </header>
  )
}
