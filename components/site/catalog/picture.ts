import type { CatalogItem } from '@/server/discovery/schemas'
import { amountText } from '../../ui/figures'
import { withoutScheme } from '../../ui/urls'
import type { Card } from '../pictures/cards'
import { drawnOnce } from '../pictures/drawn-once'
import { drawPicture } from '../pictures/picture'
import { lowestOf, networksOf, placeOf, priceOf, resourceTitle } from './text'

const drawn = drawnOnce((card: Card) => drawPicture(card, {}))

/** The preview picture of a resource as PNG; null while another one was drawn a moment ago. */
export const resourcePicture = (item: CatalogItem) => drawn(cardOf(item))

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
