import { expect, test } from 'vitest'
import { networkIds } from '../networks/networks'
import { OTHER_SCHEMES, schemeNames } from './scheme-names'
import { schemeOn, schemesOn } from './schemes'

test('each named scheme has a row on a network, and each row a name', () => {
  const settled = new Set(networkIds.flatMap((network) => schemesOn(network).map(({ scheme }) => scheme)))
  expect(settled).toEqual(new Set(schemeNames))
})

test('a scheme that is known and not settled has no row', () => {
  for (const name of OTHER_SCHEMES) for (const network of networkIds) expect(schemeOn(network, name)).toBeNull()
})
