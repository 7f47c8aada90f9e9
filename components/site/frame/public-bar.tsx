import { BAR_BRAND, BAR_LINK, BAR_NAV, ICON_BUTTON } from '../../ui/bar'
import { Brand } from '../../ui/brand'
import { buttonClass } from '../../ui/button'
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

// Bold, and as wide as the others.
const HERE = 'font-semibold tracking-[-0.024em] text-ink'

const BUTTON = buttonClass({ look: 'primary', size: 'medium' })

/** `here` is the part of the site that the page is in, if the bar links to it. */
export type PublicBarProps = { here?: '/docs' | '/catalog' | '/explain' | undefined }

/** The header of public pages. A signed-in visitor gets a link to the first screen of the account. */
export async function PublicBar(props: PublicBarProps) {
  return <Bar account={await visitor()} {...props} />
}

/** The header of public pages for a known visitor; null is signed out. */
function Bar({ account, here }: PublicBarProps & { account: Visitor | null }) {
  return (
    <header className="bar">
      <a href="#text" className="absolute -top-16 left-4 z-50 rounded-lg bg-card px-4 py-[0.6rem] focus:top-[0.6rem]">
        Skip to content
      </a>
      <Brand className={BAR_BRAND} />
      <nav aria-label="Pages" className={BAR_NAV}>
        {LINKS.map(([href, title]) => (
          <a
            key={href}
            className={href === here ? cx(HERE, 'no-underline phone:hidden') : cx(BAR_LINK, 'phone:hidden')}
            href={href}
            aria-current={href === here ? 'true' : undefined}
          >
            {title}
          </a>
        ))}
        {account ? (
          <a className={BUTTON} href={account.href} title={`Signed in as ${account.name}`}>
            <span>
              Dashboard{' '}
              <span className="inline-block max-w-36 truncate align-bottom font-normal phone:hidden">{account.name}</span>
            </span>
          </a>
        ) : (
          <a className={BUTTON} href="/sign-in">
            Sign in
          </a>
        )}
        <ThemeSwitch />
        {/* A popover closes on Escape and on a tap outside, without a script. */}
        <button
          type="button"
          className={cx(ICON_BUTTON, 'min-[40.01rem]:hidden')}
          popoverTarget="bar-menu"
          aria-label="All pages"
        >
          <svg
            className="size-5"
            aria-hidden="true"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          >
            <path d="M4 7h16M4 12h16M4 17h16" />
          </svg>
        </button>
      </nav>
      <nav
        id="bar-menu"
        className="absolute inset-[3.9rem_1.25rem_auto_auto] min-w-48 rounded-xl border bg-raised p-[0.4rem] text-[1rem] text-ink shadow-[0_12px_32px_rgb(0_0_0/0.18)]"
        popover="auto"
        aria-label="All pages"
      >
        {[HOME, ...LINKS].map(([href, title]) => (
          <a
            key={href}
            href={href}
            aria-current={href === here ? 'true' : undefined}
            className={cx(
              'block rounded-lg px-[0.8rem] py-[0.6rem] no-underline hover:bg-code',
              href === here ? HERE : 'text-inherit',
            )}
          >
            {title}
          </a>
        ))}
      </nav>
    </header>
  )
}
