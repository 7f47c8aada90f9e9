import { resourcePicture } from '@/components/site/catalog/picture'
import { pictureUrl } from '@/components/site/pictures/cards'
import { currentApp } from '@/server/app'
import { catalogEntry } from '@/server/discovery/present'

/** The preview picture of a catalog entry; that of the catalog for an unknown entry, or while too many are drawn. */
export async function GET(request: Request): Promise<Response> {
  const app = currentApp()
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const found = await catalogEntry(app, request.headers, query)
  const picture = found === null || 'refused' in found ? null : await resourcePicture(found.item)
  if (picture === null) {
    return new Response(null, { status: 307, headers: { location: pictureUrl('/catalog'), 'cache-control': 'no-store' } })
  }
  return new Response(picture, { headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' } })
}
