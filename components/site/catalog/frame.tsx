import type { ReactNode } from 'react'
import { Footer } from '../frame/footer'
import { PublicBar } from '../frame/public-bar'

/** The layout of the public catalog pages. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <PublicBar here="/catalog" />
      <div className="page catalog">
        {children}
        <Footer />
      </div>
    </>
  )
}
