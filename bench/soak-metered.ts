import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../devnet/chain'
import { batchSettlementAddress } from '../devnet/networks'
import { batchSettlementAbi } from '../server/x402/schemes/batch-settlement/contracts'
import { type ChannelConfig, createChannelForge, type Payer, PRICE, signClaims } from '../test/support/batch-settlement/channels'
import { createUptoForge } from '../test/support/permit2/upto'

type Json = Record<string, unknown>

/** An answer of the service. `paid`: it says that the money moved. */
export type Told = { status: number; answer: Json; paid: boolean }

/** A merchant that charges parts of maximums and sells through channels, whose claims it signs itself. */
type MeteredShop = {
  /** Settles a part of a maximum; resolves with the status. */
  charge: () => Promise<number>
  /** Sells one answer through a channel; resolves with the status of verify. */
  sell: () => Promise<number>
  /** Claims all that was charged. */
  claim: () => Promise<void>
  /** Claims and pays out the rest. Resolves with what is not as it was charged, in words. */
  close: () => Promise<string[]>
}

type ShopParts = {
  chain: Chain
  facilitatorAddress: Address
  ask: (route: 'verify' | 'settle', body: Json) => Promise<Told>
  note: (trouble: string) => void
}

type Selling = { who: Payer; config: ChannelConfig; id: Hex; balance: bigint; charged: bigint; claimed: bigint; busy: boolean }

const CHANNELS = 16
const PAYERS = 16
const DEPOSIT = 50n * PRICE
const TRIES_MAX = 60

/** Opens the channels and prepares the payers. */
export async function openShop({ chain, facilitatorAddress, ask, note }: ShopParts): Promise<MeteredShop> {
  const { chainId, client } = chain
  const authorizer = privateKeyToAccount(generatePrivateKey())
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  const charger = privateKeyToAccount(generatePrivateKey()).address
  const forge = createChannelForge(chain, receiver, authorizer.address, authorizer)
  const uptoForge = createUptoForge(chain)
  const wealth = { balance: 10n ** 12n }
  const payers = await Promise.all(Array.from({ length: PAYERS }, () => forge.payer(wealth)))
  const sellings = await Promise.all(
    Array.from({ length: CHANNELS }, async (): Promise<Selling> => {
      const who = await forge.payer(wealth)
      const { config, channelId: id } = await forge.deposit(who)
      return { who, config, id, balance: 0n, charged: 0n, claimed: 0n, busy: false }
    }),
  )
  let turn = 0
  let due = 0n

  const claimedOf = async ({ id }: Selling): Promise<bigint> => {
    const args = [id] as const
    const [, claimed] = await client.readContract({
      address: batchSettlementAddress,
      abi: batchSettlementAbi,
      functionName: 'channels',
      args,
    })
    return claimed
  }

  async function more(selling: Selling): Promise<number> {
    const change = { amount: DEPOSIT, maxClaimable: selling.charged + PRICE }
    const { status, answer, paid } = await ask('settle', (await forge.deposit(selling.who, change)).body)
    if (paid) selling.balance += DEPOSIT
    else note(`deposit ${status} ${JSON.stringify(answer)}`)
    return status
  }

  async function sellOne(selling: Selling): Promise<number> {
    if (selling.charged + PRICE > selling.balance) {
      const status = await more(selling)
      if (status !== 200 && status !== 409) return status
    }
    const body = await forge.voucher(selling.config, selling.who.owner, selling.charged + PRICE)
    const { status, answer } = await ask('verify', body)
    if (answer.isValid === true) selling.charged += BigInt(1 + (turn % Number(PRICE)))
    else note(`voucher ${status} ${JSON.stringify(answer)}`)
    return status
  }

  async function claim(): Promise<void> {
    const some = sellings.filter(({ charged, claimed }) => charged > claimed).map((one) => ({ one, charged: one.charged }))
    if (some.length === 0) return
    const rows = await Promise.all(some.map(({ one, charged }) => forge.row(one.config, one.who.owner, charged)))
    const { status, answer, paid } = await ask('settle', forge.claims(rows, await signClaims(chainId, authorizer, rows)))
    if (!paid) return note(`claim ${status} ${JSON.stringify(answer)}`)
    for (const { one, charged } of some) one.claimed = charged
  }

  return {
    async charge() {
      const who = payers[turn++ % PAYERS]
      const amount = BigInt(1 + (turn % 700))
      const payment = await uptoForge.paying({
        facilitator: facilitatorAddress,
        ...(who ? { who } : {}),
        signed: { to: charger },
        requirements: { payTo: charger },
      })
      const { status, answer, paid } = await ask('settle', payment.charging(amount))
      if (paid) due += amount
      else note(`charge ${status} ${JSON.stringify(answer)}`)
      return status
    },
    async sell() {
      const selling = sellings[turn++ % CHANNELS]
      // A channel sells one answer at a time.
      if (!selling || selling.busy) return 200
      selling.busy = true
      return sellOne(selling).finally(() => {
        selling.busy = false
      })
    },
    claim,
    async close() {
      const wrong: string[] = []
      for (const selling of sellings) selling.claimed = await claimedOf(selling)
      for (let left = TRIES_MAX; left > 0 && sellings.some(({ charged, claimed }) => charged > claimed); left--) await claim()
      for (const selling of sellings) {
        const claimed = await claimedOf(selling)
        if (claimed !== selling.charged)
          wrong.push(`channel ${selling.id} was charged ${selling.charged}, and ${claimed} is claimed`)
      }
      await ask('settle', forge.sweep())
      const charged = sellings.reduce((sum, one) => sum + one.charged, 0n)
      const [swept, taken] = [await chain.tokens(receiver), await chain.tokens(charger)]
      if (swept !== charged) wrong.push(`channels were charged ${charged}, and ${swept} is paid out`)
      if (taken !== due) wrong.push(`maximums were charged ${due}, and ${taken} is paid`)
      console.log(`channels charged ${charged} and paid out ${swept}; maximums charged ${due} and paid ${taken}`)
      return wrong
    },
  }
}
