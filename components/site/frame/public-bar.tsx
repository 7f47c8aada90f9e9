import { Brand } from '../../ui/brand'
import { cx } from '../../ui/class-names'
import { ThemeSwitch } from '../../ui/theme'
import { type Visitor, visitor } from './visitor'

const LINKS = [
  ['/docs', 'Docs'],
  ['/catalog', 'Catalog'],
  ['/explain', 'Explain'],
  ['/home#plans', 'Plans'],
] as const

const HOME = ['/home', 'Home'] as const

/** `here` is the part of the site that the page is in, if the bar links to it. */
type Props = {
  here?: '/docs' | '/catalog' | '/explain' | undefined
  /** The width of the page below it, if that is not the usual one. */
  className?: string
}

/** The header of public pages. A signed-in visitor gets a link to the first screen of the account. */
export async function PublicBar(props: Props) {
  return <Bar account={await visitor()} {...props} />
}

/** The header of public pages for a known visitor; null is signed out. */
export function Bar({ account, here, className }: Props & { account: Visitor | null }) {
  return (
    <header className={cx('bar', className)}>
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
        {/* A popover closes on Escape and on a tap outside, without a script. */}
        <button type="button" className="icon-button bar-menu-button" popoverTarget="bar-menu" aria-label="All pages">
          <svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
        </button>
      </nav>
      <nav id="bar-menu" className="bar-menu" popover="auto" aria-label="All pages">
        {[HOME, ...LINKS].map(([href, title]) => (
          <a key={href} href={href} aria-current={href === here ? 'true' : undefined}>
            {title}
          </a>
        ))}
      </nav>
    </header>
  )
}
