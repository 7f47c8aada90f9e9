import { connection } from 'next/server'
import type { ReactNode } from 'react'
import '@/components/ui/code/code.css'
import { SideColumn } from '@/components/site/docs/article'
import { API, docsGroups } from '@/components/site/docs/contents'
import type { DocsPage } from '@/components/site/docs/pages'
import { OBJECTS_PATH } from '@/components/site/docs/reference/schema-url'
import { DocsSearch } from '@/components/site/docs/search'
import { DrawerMenu, SideMenu } from '@/components/site/docs/side-menu'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { currentApp } from '@/server/app'
import '@/components/site/docs/prose.css'

/** The frame of all pages of the documentation: bar, menu, search and footer. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  // The endpoints are known only at run time, so these pages cannot be prerendered.
  await connection()
  const documentation = docsGroups(currentApp().api()).map(({ title, pages }) => ({ title, pages: pages.map(menuEntry) }))
  const groups = [...documentation, SERVICE]
  return (
    <>
      <PublicBar here="/docs" />
      <div className="docs mx-auto w-[min(100%-2.5rem,92rem)] text-[1rem]">
        <div className="docs-bar sticky top-0 z-20 -mx-5 flex items-center gap-[0.6rem] border-y bg-paper px-5 py-[0.55rem] phone:gap-2 phone:py-1 xl:-mt-[3.8rem] xl:mr-0 xl:ml-[calc(14rem+clamp(2rem,3.4vw,3.5rem))] xl:h-[3.8rem] xl:w-96 xl:border-0 xl:bg-transparent xl:p-0">
          <DrawerMenu groups={groups} />
          <DocsSearch />
        </div>
        <div className="grid grid-cols-1 gap-x-[clamp(2rem,3.4vw,3.5rem)] min-[62rem]:grid-cols-[14rem_minmax(0,1fr)] xl:grid-cols-[14rem_minmax(0,1fr)_14rem]">
          <SideColumn className="hidden min-[62rem]:-ml-[0.7rem] min-[62rem]:block">
            <SideMenu groups={groups} />
          </SideColumn>
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
