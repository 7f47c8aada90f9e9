import { connection } from 'next/server'
import type { ReactNode } from 'react'
import '@/components/code/code.css'
import { DrawerMenu, SideMenu } from '@/components/docs/menu'
import { DocsSearch } from '@/components/docs/search'
import { Footer } from '@/components/footer'
import { PublicBar } from '@/components/public-bar'
import { OBJECTS_PATH } from '@/components/reference/schema-url'
import { currentApp } from '@/server/app'
import './docs.css'
import { API, docsGroups } from './menu'
import type { DocsPage } from './pages'

/** The frame of all pages of the documentation: bar, menu, search and footer. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  // The endpoints are known only at run time, so these pages cannot be prerendered.
  await connection()
  const documentation = docsGroups(currentApp().api()).map(({ title, pages }) => ({ title, pages: pages.map(menuEntry) }))
  const groups = [...documentation, SERVICE]
  return (
    <>
      <PublicBar here="/docs" />
      <div className="page docs">
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
    </>
  )
}

// A page of the service, and none of the documentation.
const SERVICE = { title: 'Service', pages: [{ path: '/status', title: 'Status' }] }

// The pages of operations use the whole width, so the menu lists their sections.
function menuEntry({ path, title, sections }: DocsPage) {
  const isWide = path.startsWith(`${API.path}/`) && path !== OBJECTS_PATH
  return { path, title, ...(isWide && sections.length > 1 ? { sections } : {}) }
}
