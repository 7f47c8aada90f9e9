import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { entryAt } from '@/components/site/catalog/asked-entry'
import { CatalogFrame } from '@/components/site/catalog/frame'
import { Unread } from '@/components/site/catalog/nothing'
import { Resource } from '@/components/site/catalog/resource'
import { resourceTitle } from '@/components/site/catalog/text'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { pictureText } from '@/components/site/pictures/plain'
import '@/components/ui/code/code.css'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const TITLE_MAX = 60
const DESCRIPTION_MAX = 160

const readEntry = async ({ searchParams }: Props) => {
  const { environment, url } = await searchParams
  return entryAt(String(environment), String(url))
}

/** Merchant text, cut and in plain letters. Search engines do not list these pages. */
export async function generateMetadata(props: Props): Promise<Metadata> {
  const found = await readEntry(props)
  if (found === null || 'refused' in found) return { title: 'Resource', robots: { index: false } }
  const { environment, url } = await props.searchParams
  const query = new URLSearchParams({ environment: String(environment), url: String(url) })
  const page = {
    title: `${pictureText(resourceTitle(found.item), TITLE_MAX)} in the catalog`,
    description: pictureText(found.item.description ?? 'A paid API.', DESCRIPTION_MAX),
    path: `/catalog/resource?${query}`,
  }
  return { ...pageMetadata(page, `/catalog/resource/picture?${query}`), robots: { index: false } }
}

export default async function ResourcePage(props: Props) {
  const found = await readEntry(props)
  if (found === null) notFound()
  return (
    <CatalogFrame>
      {'refused' in found ? (
        <Unread title="This entry could not be read" level={1} text={found.refused}>
          <a href="/catalog">Back to the catalog</a>
        </Unread>
      ) : (
        <Resource {...found} />
      )}
    </CatalogFrame>
  )
}
