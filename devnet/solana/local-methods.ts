import { z } from 'zod'
import { systemProgram } from './faucet'
import { address, amount, type Method, method, whole } from './method'
import type { Node } from './node'
import { mintTo, openTokenAccount } from './tokens'

function setLamports({ runtime }: Node, of: string, lamports: bigint): void {
  const account = runtime.account(of) ?? { data: new Uint8Array(), owner: systemProgram, executable: false }
  runtime.setAccount(of, { ...account, lamports })
}

/** A method that changes the chain at once, without a transaction. Amounts are decimal digits. */
function steering<T>(schema: z.ZodType<T>, steer: (params: T, node: Node) => unknown): Method {
  return method(schema, async (params, node) => {
    const result = await steer(params, node)
    node.touched()
    return result ?? null
  })
}

/** Methods of the local chain alone. */
export const localMethods: Record<string, Method> = {
  /** Adds USDC to an owner's token account, opened if needed; answers its address. */
  local_mintTo: steering(z.tuple([address, amount]), ([owner, value], { runtime, cluster }) =>
    mintTo(runtime, cluster.mint, owner, value),
  ),
  local_openAccount: steering(z.tuple([address]), ([owner], { runtime, cluster }) =>
    openTokenAccount(runtime, cluster.mint, owner),
  ),
  local_airdrop: steering(z.tuple([address, amount]), ([of, lamports], node) =>
    setLamports(node, of, (node.runtime.account(of)?.lamports ?? 0n) + lamports),
  ),
  local_setLamports: steering(z.tuple([address, amount]), ([of, lamports], node) => setLamports(node, of, lamports)),
  local_advance: steering(z.tuple([whole.min(1)]), ([blocks], { ledger }) => ledger.advance(blocks)),
  local_runAhead: steering(z.tuple([whole.min(0)]), ([seconds], { ledger }) => ledger.runAhead(seconds)),
  local_freeze: steering(z.tuple([]), (_, { produce }) => produce('frozen')),
  local_resume: steering(z.tuple([]), (_, { produce }) => produce('running')),
}
