import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { PublicPage } from '../frame/public-page'

/** The table needs more room than a text. */
const WIDTH = 'w-[min(100%-2.5rem,80rem)]'

/** The layout of the public catalog pages. `isNarrow`: as wide as a page of text. */
export function CatalogFrame({ isNarrow = false, children }: { isNarrow?: boolean; children: ReactNode }) {
  return (
    <PublicPage here="/catalog" className={cx('text-[1rem]', !isNarrow && `broad ${WIDTH}`)} mainClassName="min-h-[60vh] pb-12">
      {children}
    </PublicPage>
  )
}
