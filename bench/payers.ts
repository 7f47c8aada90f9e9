import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../devnet/chain'
import { signed, v1Body, v2Body } from '../test/support/payloads/payments'

type Payment = Awaited<ReturnType<typeof signed>>

/** Payers that sign in turn. */
export type Payers = {
  /** A payment of the next payer. */
  sign: () => Promise<Payment>
  /** Request bodies of a version of the x402 protocol (2 if unset), each with a new payment. */
  newBodies: (count: number, version?: 1 | 2) => Promise<string[]>
}

/** More than one payer spends in any run, in atomic units. */
const BALANCE = 10n ** 12n

/** New payers with USDC on a chain. */
export async function newPayers(chain: Chain, count: number): Promise<Payers> {
  const payers = await Promise.all(Array.from({ length: count }, newPayer))
  let turn = 0

  async function newPayer() {
    const payer = privateKeyToAccount(generatePrivateKey())
    await chain.mint(payer.address, BALANCE)
    return payer
  }

  const sign = async () => signed(payers[turn++ % count] ?? (await newPayer()))

  return {
    sign,
    async newBodies(count, version = 2) {
      const bodyOf = version === 1 ? v1Body : v2Body
      const bodies: string[] = []
      while (bodies.length < count) bodies.push(JSON.stringify(bodyOf(await sign())))
      return bodies
    },
  }
}
