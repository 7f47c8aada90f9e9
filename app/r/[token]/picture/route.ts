import { pictureUrl } from '@/components/site/pictures/cards'
import { receiptPicture } from '@/components/site/receipt/picture'
import { currentApp } from '@/server/app'
import { publicReceipt } from '@/server/payments/public-receipts'

/** The preview picture of a shared receipt; that of the home page for an unknown one, or while too many are drawn. */
export async function GET(request: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const { token } = await params
  const found = await publicReceipt(currentApp(), request.headers, token)
  const picture = found === null || 'refused' in found ? null : await receiptPicture(found.receipt)
  if (picture === null) {
    return new Response(null, { status: 307, headers: { location: pictureUrl('/home'), 'cache-control': 'no-store' } })
  }
  return new Response(picture, {
    headers: { 'content-type': 'image/png', 'cache-control': 'private, max-age=300', 'x-robots-tag': 'noindex' },
  })
}
