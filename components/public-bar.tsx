import { Brand } from './brand'
import { ThemeSwitch } from './shell/theme'
import { type Visitor, visitor } from './visitor'

const LINKS = [
  ['/docs', 'Docs'],
  ['/catalog', 'Catalog'],
  ['/home#plans', 'Plans'],
] as const

/** The part of the site that the page is in, if the bar links to it. */
type Here = { here?: '/docs' | '/catalog' | undefined }

/** The header of public pages. A signed-in visitor gets a link to the first screen of the account. */
export async function PublicBar({ here }: Here) {
  return <Bar account={await visitor()} here={here} />
}

/** The same for a known visitor; null is signed out. */
export function Bar({ account, here }: Here & { account: Visitor | null }) {
  return (
    <header className="bar">
      <a href="#text" className="skip">
        Skip to content
      </a>
      <Brand />
      <nav aria-label="Pages">
        {LINKS.map(([href, title]) => (
          <a key={href} className="quiet" href={href} aria-current={href === here ? 'true' : undefined}>
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
