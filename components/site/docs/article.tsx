import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { neighboursOf } from './contents'
import { OnThisPage, SectionLinks } from './on-this-page'
import type { DocsGroup, DocsPage, Section } from './pages'

/** `wide` uses the room of the list of sections; the menu has the list then. */
type Props = { page: DocsPage; groups: readonly DocsGroup[]; layout?: 'text' | 'wide'; children: ReactNode }

/** A page of the documentation: title, text, its sections, and the pages before and after it. */
export function Article({ page, groups, layout = 'text', children }: Props) {
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === page.path))
  const { before, after } = neighboursOf(groups, page.path)
  return (
    <>
      <DocsMain isWide={layout === 'wide'}>
        {/* Without the menu beside it, the bar above names its group. */}
        <header className="grid max-w-208 gap-[0.6rem] pb-[1.4rem]">
          {group ? <p className="hidden text-[0.9rem] font-semibold text-accent min-[62rem]:block">{group.title}</p> : null}
          <h1 className="text-title">{page.title}</h1>
          <p className="text-[1.12rem] leading-[1.55] text-soft">{page.description}</p>
        </header>
        {/* Two sections need no list. */}
        {page.sections.length > 2 ? <NarrowContents sections={page.sections} /> : null}
        {children}
        {/* The first page has a button for the next one at its top. */}
        {before ? (
          <nav
            className="mt-[1.6rem] grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-[0.8rem] border-t pt-[1.6rem]"
            aria-label="Previous and next page"
          >
            <Step rel="prev" label="Previous" page={before} />
            {after ? <Step rel="next" label="Next" page={after} /> : null}
          </nav>
        ) : null}
      </DocsMain>
      {layout === 'text' ? (
        <SideColumn className="hidden xl:block">
          {page.sections.length > 1 ? <OnThisPage sections={page.sections} /> : null}
        </SideColumn>
      ) : null}
    </>
  )
}

/** The text between the menu and the list of sections; a wide one uses the room of the list too. */
export function DocsMain({ isWide, className, children }: { isWide: boolean; className?: string; children: ReactNode }) {
  return (
    <main className={cx('min-w-0 pt-[1.8rem] pb-8', isWide ? 'xl:col-[2/-1]' : 'max-w-208', className)} id="text">
      {children}
    </main>
  )
}

/** A column beside the text, which stays in view and scrolls on its own. */
export function SideColumn({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div
      className={cx(
        'sticky top-[3.6rem] max-h-[calc(100dvh-3.6rem)] self-start overflow-y-auto overscroll-contain py-[1.6rem] [scrollbar-width:thin]',
        // What goes on above or below fades out.
        'mask-[linear-gradient(to_bottom,transparent,black_1.5rem,black_calc(100%-1.5rem),transparent)]',
        className,
      )}
    >
      {children}
    </div>
  )
}

function NarrowContents({ sections }: { sections: readonly Section[] }) {
  return (
    <details className="mb-[1.2rem] rounded-[10px] border bg-card xl:hidden">
      <summary className="cursor-pointer px-4 py-[0.65rem] font-semibold">On this page</summary>
      <SectionLinks sections={sections} className="px-4 pb-[0.7rem]" />
    </details>
  )
}

function Step({ rel, label, page }: { rel: 'prev' | 'next'; label: string; page: DocsPage }) {
  return (
    <a
      className={cx(
        'grid min-w-0 gap-[0.1rem] rounded-[10px] border bg-card px-[1.1rem] py-3 text-inherit no-underline hover:border-accent',
        rel === 'next' && 'text-end',
      )}
      rel={rel}
      href={page.path}
    >
      <span className="text-[0.92rem] text-soft">
        {rel === 'prev' ? <span aria-hidden>← </span> : null}
        {label}
        {rel === 'next' ? <span aria-hidden> →</span> : null}
      </span>
      <strong>{page.title}</strong>
    </a>
  )
}
