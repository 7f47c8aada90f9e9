import { headers } from 'next/headers'
import { entryAt } from '@/components/site/catalog/asked-entry'
import { NotListed } from '@/components/site/catalog/not-listed'
import { currentApp } from '@/server/app'
import { nearEntries } from '@/server/discovery/present'
import { ENTRY_QUERY_HEADER } from '@/server/http/request'

/** A resource that is not listed: merchants and search engines keep links to what has left the catalog. */
export default async function ResourceNotFound() {
  const sent = await headers()
  const query = new URLSearchParams(sent.get(ENTRY_QUERY_HEADER) ?? '')
  const [environment, url] = [String(query.get('environment')), String(query.get('url'))]
  // Next renders this beside each page of a resource.
  if ((await entryAt(environment, url)) !== null) return null
  return (
    <NotListed
      url={query.get('url')}
      environment={environment}
      near={await nearEntries(currentApp(), sent, { environment, url })}
    />
  )
}
