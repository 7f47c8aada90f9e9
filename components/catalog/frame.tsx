import type { ReactNode } from 'react'
import { PublicBar } from '../public-bar'

/** The layout of the public catalog pages. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page catalog">
      <PublicBar />
      {children}
      <footer className="foot">
        <span>Names and descriptions come from merchants and payers. We do not check them.</span>
        <a href="/docs">API reference</a>
        <a href="/llms.txt">For agents</a>
      </footer>
    </div>
  )
}
