'use client'

import { Menu as MenuIcon, X } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { SectionLinks } from './on-this-page'
import type { Section } from './pages'

/** What the menu shows of a group of pages. A page without a list of sections next to its text has `sections`. */
type MenuGroup = { title: string; pages: readonly { path: string; title: string; sections?: readonly Section[] }[] }

type Props = { groups: readonly MenuGroup[] }

/** The grouped menu at the side of the documentation. */
export function SideMenu({ groups }: Props) {
  const menu = useRef<HTMLElement>(null)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has its own place in the menu
  useEffect(() => showCurrent(menu.current), [pathname])
  return (
    <nav ref={menu} className="docs-menu" aria-label="Documentation">
      <Groups groups={groups} />
    </nav>
  )
}

/** The same menu as a drawer, for phones. */
export function DrawerMenu({ groups }: Props) {
  const drawer = useRef<HTMLDialogElement>(null)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => drawer.current?.close(), [pathname])
  return (
    <>
      <button type="button" className="docs-menu-button" aria-haspopup="dialog" onClick={() => drawer.current?.showModal()}>
        <MenuIcon aria-hidden size={18} /> Menu
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is a shortcut; Escape and the button close it too */}
      <dialog
        ref={drawer}
        className="docs-drawer"
        aria-label="Documentation"
        onClick={({ target, currentTarget }) => (target === currentTarget ? currentTarget.close() : undefined)}
      >
        <nav aria-label="Documentation" className="docs-menu">
          <button type="button" className="icon-button" aria-label="Close menu" onClick={() => drawer.current?.close()}>
            <X aria-hidden size={18} />
          </button>
          <Groups groups={groups} />
        </nav>
      </dialog>
    </>
  )
}

// The menu scrolls on its own: its current page may be below the edge.
function showCurrent(menu: HTMLElement | null): void {
  const link = menu?.querySelector('[aria-current="page"]')
  const box = menu?.parentElement
  if (!link || !box) return
  const below = link.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom
  if (below > 0) box.scrollTop += below + box.clientHeight / 3
}

function Groups({ groups }: Props) {
  const pathname = usePathname()
  return groups.map(({ title, pages }) => (
    <div key={title}>
      <p className="docs-label">{title}</p>
      <ul>
        {pages.map(({ path, title: name, sections }) => (
          <li key={path}>
            <Link href={path} prefetch={false} aria-current={path === pathname ? 'page' : undefined}>
              {name}
            </Link>
            {sections && path === pathname ? <SectionLinks sections={sections} /> : null}
          </li>
        ))}
      </ul>
    </div>
  ))
}
