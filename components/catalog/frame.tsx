import type { ReactNode } from 'react'
import { Footer } from '../footer'
import { PublicBar } from '../public-bar'

/** The layout of the public catalog pages. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page catalog">
      <PublicBar />
      {children}
      <Footer />
    </div>
  )
}
