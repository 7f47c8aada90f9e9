import { connection } from 'next/server'
import type { ReactNode } from 'react'
import '@/components/code/code.css'
import { DrawerMenu, SideMenu } from '@/components/docs/menu'
import { DocsSearch } from '@/components/docs/search'
import { Footer } from '@/components/footer'
import { PublicBar } from '@/components/public-bar'
import { currentApp } from '@/server/app'
import './docs.css'
import { docsGroups } from './menu'

/** The frame of all pages of the documentation: bar, menu, search and footer. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  // The endpoints are known only at run time, so these pages cannot be prerendered.
  await connection()
  const groups = docsGroups(currentApp().api()).map(({ title, pages }) => {
    return { title, pages: pages.map(({ path, title: name }) => ({ path, title: name })) }
  })
  return (
    <div className="page docs">
      <PublicBar />
      <div className="docs-bar">
        <DrawerMenu groups={groups} />
        <DocsSearch />
      </div>
      <div className="docs-columns">
        <aside className="docs-side">
          <SideMenu groups={groups} />
        </aside>
        {children}
      </div>
      <Footer />
    </div>
  )
}
