import type { ReactNode } from 'react'
import { PublicBar } from '../public-bar'

/** The frame of the catalog's public pages. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page catalog">
      <PublicBar />
      {children}
      <footer className="foot">
        <span>Names and descriptions are those of merchants and payers; we do not vouch for them.</span>
        <a href="/docs">API reference</a>
        <a href="/llms.txt">For agents</a>
      </footer>
    </div>
  )
}
