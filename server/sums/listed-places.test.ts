import { describe, expect, test } from 'vitest'
import { placesOf, toolPlacesOf } from './listed-places'

const weather = { id: 'exact', url: 'https://shop.com/weather', environment: 'mainnet' }
const user = { id: 'template', url: 'https://shop.com/users/:id/posts', environment: 'mainnet' }

describe('the resource of a URL', () => {
  test('is the one at exactly that URL, however the URL is written', () => {
    const bases = ['https://shop.com/weather', 'https://SHOP.com:443/weather', 'https://shop.com/weather/', 'not a url', '']
    expect(placesOf(bases, [weather], []).map(({ base, id }) => [base, id])).toEqual([
      ['https://shop.com/weather', 'exact'],
      ['https://SHOP.com:443/weather', 'exact'],
    ])
  })

  test('is the one whose route template fits', () => {
    const bases = ['https://shop.com/users/7/posts', 'https://shop.com/users/7/posts/1', 'https://shop.com/users//posts']
    expect(placesOf(bases, [], [user])).toEqual([{ base: bases[0], environment: 'mainnet', id: 'template', tool: null }])
  })

  test('in each environment is the exact one before a template', () => {
    const exact = { id: 'own', url: 'https://shop.com/users/me/posts', environment: 'mainnet' }
    const testnet = { ...user, id: 'test', environment: 'testnet' }
    expect(placesOf([exact.url], [exact], [user, testnet])).toEqual(
      expect.arrayContaining([
        { base: exact.url, environment: 'mainnet', id: 'own', tool: null },
        { base: exact.url, environment: 'testnet', id: 'test', tool: null },
      ]),
    )
  })

  test('takes the characters of a listed URL literally', () => {
    const odd = { id: 'odd', url: 'https://shop.com/a.b(c)/:x', environment: 'mainnet' }
    expect(placesOf(['https://shop.com/a.b(c)/1', 'https://shop.com/aXb(c)/1'], [], [odd]).map(({ base }) => base)).toEqual([
      'https://shop.com/a.b(c)/1',
    ])
  })
})

test('each tool of a server is a place of its own at the URL of the server', () => {
  const tools = ['rain', 'a%2Fb'].map((name) => ({ id: name, url: `https://shop.com/mcp#${name}`, environment: 'mainnet' }))
  const other = { id: 'other', url: 'https://shop.com/mcp2#rain', environment: 'mainnet' }
  const place = { base: 'https://shop.com/mcp', environment: 'mainnet' }
  expect(toolPlacesOf([place.base, 'not a url'], [...tools, other])).toEqual([
    { ...place, id: 'rain', tool: 'rain' },
    { ...place, id: 'a%2Fb', tool: 'a/b' },
  ])
})
