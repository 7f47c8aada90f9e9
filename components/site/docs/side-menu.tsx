'use client'

import { PanelLeft, X } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { ICON_BUTTON } from '../../ui/bar'
import { cx } from '../../ui/class-names'
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
    <nav ref={menu} className="grid gap-5" aria-label="Documentation">
      <Groups groups={groups} sectionsClass="xl:block" />
    </nav>
  )
}

/** The same menu as a drawer, for phones. Its button names the page. */
export function DrawerMenu({ groups }: Props) {
  const drawer = useRef<HTMLDialogElement>(null)
  const pathname = usePathname()
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === pathname))
  const page = group?.pages.find(({ path }) => path === pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => drawer.current?.close(), [pathname])
  return (
    <>
      <button
        type="button"
        className="docs-menu-button min-w-0 phone:grow min-[62rem]:hidden"
        aria-haspopup="dialog"
        onClick={() => drawer.current?.showModal()}
      >
        <PanelLeft aria-hidden size={18} />
        <span className="truncate leading-[1.4]">
          <span className={page && 'sr-only'}>Menu</span>
          {page ? ` ${group?.title} › ${page.title}` : null}
        </span>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is a shortcut; Escape and the button close it too */}
      <dialog
        ref={drawer}
        className="inset-y-0 right-auto left-0 m-0 h-dvh max-h-none w-[min(19rem,86vw)] border-r bg-card text-ink backdrop:bg-[rgb(0_0_0/0.45)]"
        aria-label="Documentation"
        onClick={({ target, currentTarget }) => (target === currentTarget ? currentTarget.close() : undefined)}
      >
        <nav aria-label="Documentation" className="grid gap-5 px-[1.2rem] pt-4 pb-8">
          <button
            type="button"
            className={cx(ICON_BUTTON, 'ml-auto')}
            aria-label="Close menu"
            onClick={() => drawer.current?.close()}
          >
            <X aria-hidden size={18} />
          </button>
          <Groups groups={groups} />
        </nav>
      </dialog>
    </>
  )
}

/** The part of its box in which the menu fades, in pixels. */
const EDGE = 24

// The menu scrolls on its own: its current page may be below the edge.
function showCurrent(menu: HTMLElement | null): void {
  const entry = menu?.querySelector('[aria-current="page"]')?.parentElement
  const group = entry?.closest('div')
  const box = menu?.parentElement
  if (!entry || !group || !box) return
  const { top, bottom } = box.getBoundingClientRect()
  const start = group.getBoundingClientRect().top
  const end = entry.getBoundingClientRect().bottom
  // Its group begins at the top, unless the page would then be below the edge.
  if (end > bottom - EDGE) box.scrollTop += Math.max(start - top - EDGE, end - bottom + EDGE)
}

// The drawer shows no sections.
function Groups({ groups, sectionsClass }: Props & { sectionsClass?: string }) {
  const pathname = usePathname()
  return groups.map(({ title, pages }) => (
    <div key={title}>
      <p className="px-[0.7rem] pb-[0.4rem] text-[0.85rem] font-[650]">{title}</p>
      <ul>
        {pages.map(({ path, title: name, sections }) => (
          <li key={path}>
            <Link
              className="block rounded-lg px-[0.7rem] py-[0.32rem] text-[0.92rem] leading-[1.35] wrap-anywhere text-soft no-underline hover:bg-code hover:text-ink aria-[current]:bg-wash aria-[current]:font-semibold aria-[current]:text-accent pointer-coarse:py-[0.65rem]"
              href={path}
              prefetch={false}
              aria-current={path === pathname ? 'page' : undefined}
            >
              {name}
            </Link>
            {sections && path === pathname ? (
              <SectionLinks
                sections={sections}
                className={cx('mt-[0.35rem] mb-2 ml-[0.7rem] hidden [&_a:hover]:bg-code', sectionsClass)}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  ))
}
