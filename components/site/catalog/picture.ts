import { LRUCache } from 'lru-cache'
import type { CatalogItem } from '@/server/discovery/schemas'
import { amountText } from '../../ui/figures'
import { withoutScheme } from '../../ui/urls'
import type { Card } from '../pictures/cards'
import { drawPicture } from '../pictures/picture'
import { lowestOf, networksOf, placeOf, priceOf, resourceTitle } from './text'

/** Drawing takes some 50 ms of the thread that payments need. */
const DRAW_EVERY_MS = 1_000
const KEPT = 100

const kept = new LRUCache<string, ArrayBuffer>({ max: KEPT })
let drawnAt = Number.NEGATIVE_INFINITY

/** The preview picture of a resource as PNG; null while another one was drawn a moment ago. */
export async function resourcePicture(item: CatalogItem): Promise<ArrayBuffer | null> {
  const card = cardOf(item)
  const key = JSON.stringify(card)
  const known = kept.get(key)
  if (known) return known
  const now = performance.now()
  if (now - drawnAt < DRAW_EVERY_MS) return null
  drawnAt = now
  const picture = await drawPicture(card, {}).arrayBuffer()
  kept.set(key, picture)
  return picture
}

function cardOf(item: CatalogItem): Card {
  const [price] = lowestOf(item)
  const card = {
    label: 'Catalog',
    title: resourceTitle(item),
    text: [priceOf(item), item.description ?? withoutScheme(item.resource)].join(' · '),
  }
  if (!price) return card
  const [first = '', ...others] = networksOf(item)
  return {
    ...card,
    slip: {
      to: placeOf(item.resource).host,
      amount: amountText(price.atomic, price.decimals),
      symbol: price.symbol,
      lines: [
        ['Price', price.before === '' ? 'per call' : `${price.before}this`],
        ['Network', others.length > 0 ? `${first} +${others.length}` : first],
        ['Gas', 'paid by us'],
      ],
      stamp: 'Pay per call',
    },
  }
}
