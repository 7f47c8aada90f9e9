import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { Footer } from './footer'
import { PublicBar, type PublicBarProps } from './public-bar'

type Props = PublicBarProps & { className?: string; mainClassName?: string; children: ReactNode }

/** A public page: the header, its text and the footer. `className` is for the text and the footer. */
export function PublicPage({ className, mainClassName, children, ...bar }: Props) {
  return (
    <>
      <PublicBar {...bar} />
      <div className={cx('page', className)}>
        <main id="text" className={mainClassName}>
          {children}
        </main>
        <Footer />
      </div>
    </>
  )
}
