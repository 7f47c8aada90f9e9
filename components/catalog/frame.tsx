import type { ReactNode } from 'react'
import { Brand } from '../brand'

/** The frame of the catalog's public pages. */
export function CatalogFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page catalog">
      <div className="bar">
        <Brand />
        <nav aria-label="Pages">
          <a className="quiet" href="/catalog">
            Catalog
          </a>
          <a className="quiet" href="/docs">
            Docs
          </a>
          <a className="quiet" href="/dashboard">
            Sign in
          </a>
        </nav>
      </div>
      {children}
      <footer className="foot">
        <span>Names and descriptions are those of merchants and payers; we do not vouch for them.</span>
        <a href="/docs">API reference</a>
        <a href="/llms.txt">For agents</a>
      </footer>
    </div>
  )
}
