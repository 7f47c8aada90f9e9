import { describe, expect, test } from 'vitest'
import { readEnv } from './env'

const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const EURC = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const mintsIn = (SOLANA_MINTS: string) => readEnv({ NODE_ENV: 'test', SOLANA_MINTS }).SOLANA_MINTS

describe('the mints of Solana', () => {
  test.each([
    ['nothing', '', []],
    ['a list of pairs', ` USDT:${USDT}, EURC:${EURC} ,`, ['USDT', 'EURC']],
    ['JSON', JSON.stringify([{ symbol: 'USDT', mint: USDT }]), ['USDT']],
  ])('are read from %s', (_, text, symbols) => {
    expect(mintsIn(text).map(({ symbol }) => symbol)).toEqual(symbols)
  })

  test.each([
    ['no mint', 'USDT', /each mint must be an address/],
    ['an address of another chain', 'USDT:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', /each mint must be an address/],
    ['no symbol', `:${USDT}`, /each symbol must be 1 to 12/],
    ['a symbol that a page could not show', `U SDT:${USDT}`, /each symbol must be 1 to 12/],
    ['a second token called USDC', `usdc:${USDT}`, /no mint may be called USDC/],
    ['USDC under another symbol', `COIN:${USDC}`, /must not name USDC/],
    ['a symbol twice', `USDT:${USDT},usdt:${EURC}`, /each symbol and each mint once/],
    ['a mint twice', `A:${USDT},B:${USDT}`, /each symbol and each mint once/],
    ['other JSON', '[{"symbol":"USDT"}]', /must be SYMBOL:mint pairs/],
    ['broken JSON', '[{', /must be SYMBOL:mint pairs/],
  ])('are refused with %s', (_, text, message) => {
    expect(() => mintsIn(text)).toThrow(message)
  })
})
