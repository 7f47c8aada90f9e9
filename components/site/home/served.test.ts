import { expect, test } from 'vitest'
import { flashText, keyNetworks, mainNetworks, preconfirming, type Served, titlesOf, tokensOf } from './served'

const BASE = 'eip155:8453'
const SEPOLIA = 'eip155:84532'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

const all: Served = { sandbox: [SEPOLIA, DEVNET], standard: [BASE, SEPOLIA, SOLANA], flash: [BASE, SEPOLIA, SOLANA] }
const testOnly: Served = { sandbox: [SEPOLIA], standard: [SEPOLIA], flash: [SEPOLIA] }
const none: Served = { sandbox: [], standard: [], flash: [] }

test('the home page names the networks that are served, those with real money first', () => {
  expect([all, testOnly, none].map((served) => [titlesOf(mainNetworks(served)), keyNetworks(served)])).toEqual([
    ['Base and Solana', 'Base and Solana with real money, and Base Sepolia.'],
    ['Base Sepolia', 'Base Sepolia.'],
    ['', ''],
  ])
  expect(keyNetworks({ ...all, standard: [SOLANA] })).toBe('Solana with real money.')
})

test('it names at most four networks, and counts the others', () => {
  expect(titlesOf([BASE, SEPOLIA, SOLANA, DEVNET])).toBe('Base, Base Sepolia, Solana and Solana devnet')
  expect(titlesOf([BASE, SEPOLIA, SOLANA, DEVNET, BASE])).toBe('Base, Base Sepolia, Solana and 2 more')
})

test('it names the one token that all settle', () => {
  expect(tokensOf(all.standard)).toBe('USDC')
})

test('flash is promised where blocks are preconfirmed, and not on Solana', () => {
  const solana: Served = { ...all, flash: [SOLANA] }
  expect([all, testOnly, solana].map(preconfirming)).toEqual([[BASE], [SEPOLIA], []])
  expect([all, testOnly, solana].map(flashText)).toEqual([
    'On Base, answers in about 200 milliseconds, from preconfirmed blocks. Solana keeps its usual speed.',
    'On Base Sepolia, answers in about 200 milliseconds, from preconfirmed blocks.',
    'Answers from preconfirmed blocks. No network of this service has them now.',
  ])
})
