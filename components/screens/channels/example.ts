import type { inferRouterOutputs } from '@trpc/server'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/base/durations'
import type { Root } from '@/server/trpc/router'
import { type Environment, mainAsset } from '@/server/x402/networks/networks'
import type { Channel } from '../../client/channels/state'

function tokenIn(environment: Environment) {
  const network = environment === 'testnet' ? 'eip155:84532' : 'eip155:8453'
  const { address: token, symbol, decimals } = mainAsset(network)
  return { network, token, asset: { symbol, decimals } } as const
}

const CHANNELS = [
  {
    state: 'open',
    payer: '0x8f3a6b1c94e07d25a8b3f6c0d1e2947a5b6c41c2',
    balance: '2000000',
    charged: '1240000',
    requests: '20667',
    claimed: '900000',
  },
  {
    state: 'withdrawing',
    payer: '0x27d0f4a81b6c3e5927d8a0b4c6e1f39528d7b90e',
    balance: '1000000',
    charged: '310000',
    requests: '5166',
    claimed: '180000',
  },
  {
    state: 'closed',
    payer: '0xc41e7a3058b92d6f14c7e0a9b5d3826f41e907a5',
    balance: '500000',
    charged: '500000',
    requests: '8333',
    claimed: '500000',
  },
] as const

const sumOf = (of: 'balance' | 'charged' | 'claimed'): bigint => CHANNELS.reduce((sum, one) => sum + BigInt(one[of]), 0n)

/** The sums of the channels below. */
export function exampleSums(environment: Environment): inferRouterOutputs<Root>['merchant']['channelSums'] {
  const token = tokenIn(environment)
  const [balance, charged, claimed] = [sumOf('balance'), sumOf('charged'), sumOf('claimed')]
  const amounts = { balance: String(balance), charged: String(charged), claimed: String(claimed) }
  return {
    sums: [{ ...token, channels: CHANNELS.length, ...amounts, atRisk: String(charged - claimed) }],
    usage: [{ ...token, requests: '34166', charged: String(charged) }],
  }
}

/** A channel in each state. */
export const exampleChannels = (environment: Environment, now: number): Channel[] =>
  CHANNELS.map(({ state, payer, balance, charged, requests, claimed }, at) => {
    const isOwed = charged !== claimed
    const isLeaving = state === 'withdrawing'
    return {
      ...tokenIn(environment),
      id: `0x${String(at).repeat(64)}`,
      keyId: 'example',
      keyName: 'My API',
      config: {},
      payer,
      receiver: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
      state,
      balance,
      signed: charged,
      charged,
      requests,
      claimed,
      atRisk: String(BigInt(charged) - BigInt(claimed)),
      claimBy: isOwed ? timeAt(now + HOUR_MS) : null,
      stored: true,
      withdrawing: isLeaving ? String(BigInt(balance) - BigInt(charged)) : '0',
      withdrawDelay: 900,
      withdrawAt: isLeaving ? timeAt(now - 5 * MINUTE_MS) : null,
      withdrawBy: isLeaving ? timeAt(now + 10 * MINUTE_MS) : null,
      unclaimable: null,
      usedAt: timeAt(now - (at + 1) * HOUR_MS),
      createdAt: timeAt(now - (at + 2) * DAY_MS),
    }
  })

const timeAt = (ms: number): string => new Date(ms).toISOString()
