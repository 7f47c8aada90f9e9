'use client'

import { Menu as MenuIcon, X } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** What the menu shows of a group of pages. */
export type MenuGroup = { title: string; pages: readonly { path: string; title: string }[] }

type Props = { groups: readonly MenuGroup[] }

/** The grouped menu at the side of the documentation. */
export function SideMenu({ groups }: Props) {
  return (
    <nav className="docs-menu" aria-label="Documentation">
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

function Groups({ groups }: Props) {
  const pathname = usePathname()
  return groups.map(({ title, pages }) => (
    <div key={title}>
      <p className="docs-label">{title}</p>
      <ul>
        {pages.map(({ path, title: name }) => (
          <li key={path}>
            <Link href={path} prefetch={false} aria-current={path === pathname ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
}
