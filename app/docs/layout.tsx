import { connection } from 'next/server'
import type { ReactNode } from 'react'
import '@/components/ui/code/code.css'
import { API, docsGroups } from '@/components/site/docs/contents'
import type { DocsPage } from '@/components/site/docs/pages'
import { OBJECTS_PATH } from '@/components/site/docs/reference/schema-url'
import { DocsSearch } from '@/components/site/docs/search'
import { DrawerMenu, SideMenu } from '@/components/site/docs/side-menu'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { currentApp } from '@/server/app'
import '@/components/site/docs/docs.css'

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
