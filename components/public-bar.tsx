import { Brand } from './brand'
import { ThemeSwitch } from './shell/theme'
import { type Visitor, visitor } from './visitor'

const LINKS = [
  ['/docs', 'Docs'],
  ['/catalog', 'Catalog'],
  ['/home#plans', 'Plans'],
] as const

/** The header of public pages. A signed-in visitor gets a link to the first screen of the account. */
export async function PublicBar() {
  return <Bar account={await visitor()} />
}

/** The same for a known visitor; null is signed out. */
export function Bar({ account }: { account: Visitor | null }) {
  return (
    <header className="bar">
      <a href="#text" className="skip">
        Skip to content
      </a>
      <Brand />
      <nav aria-label="Pages">
        {LINKS.map(([href, title]) => (
          <a key={href} className="quiet" href={href}>
            {title}
          </a>
        ))}
        {account ? (
          <a className="button small" href={account.href} title={`Signed in as ${account.name}`}>
            Dashboard <span className="account">{account.name}</span>
          </a>
        ) : (
          <a className="button small" href="/sign-in">
            Sign in
          </a>
        )}
        <ThemeSwitch className="icon-button" />
      </nav>
    </header>
  )
}
