import { expect, test } from 'vitest'
import { networkIds } from '../networks/networks'
import { OTHER_SCHEMES, schemeNames } from './scheme-names'
import { schemeOn, schemesOn } from './schemes'

test('each scheme that is offered has a row on a network with a version, and no other has', () => {
  const rows = networkIds.flatMap(schemesOn)
  const offered = rows.flatMap(({ scheme, versions }) => (versions.some(() => true) ? [scheme] : []))
  expect(new Set(offered)).toEqual(new Set(schemeNames))
})

test('a scheme that is known and not settled has no row', () => {
  for (const name of OTHER_SCHEMES) for (const network of networkIds) expect(schemeOn(network, name)).toBeNull()
})
