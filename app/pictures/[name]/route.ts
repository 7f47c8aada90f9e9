import { cards } from '@/components/site/pictures/cards'
import { drawPicture } from '@/components/site/pictures/picture'

// Drawn when the service is built: drawing takes time that payments need.
export const dynamic = 'force-static'
export const dynamicParams = false

export function generateStaticParams(): { name: string }[] {
  return [...cards.keys()].map((name) => ({ name: `${name}.png` }))
}

export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  const { name } = await params
  const card = cards.get(name.replace(/\.png$/, ''))
  return card ? drawPicture(card, { 'cache-control': 'public, max-age=86400' }) : new Response(null, { status: 404 })
}
