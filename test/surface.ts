import type { Address } from 'viem'
import { usdcAbi } from '../devnet/abi'
import { settleUnder, verifyUnder } from '../server/http/payments'
import type { App } from '../server/services/app'
import type { Harness } from './harness'

/** A whole answer, to be compared in one go. */
export type Answer = { status: number; body: unknown; headers: Headers }

/** Someone with an IP address of their own, as the door lets them in. */
export type Visitor = {
  ip: string
  subject: string
  verify: (body: unknown) => Promise<Answer>
  settle: (body: unknown, signal?: AbortSignal) => Promise<Answer>
}

let visitors = 0

/** A visitor whom no rate limit and no quota has seen yet. */
export function newVisitor(app: App): Visitor {
  const ip = `10.${++visitors >> 8}.${visitors & 255}.1`
  const request = (path: string, body: unknown, signal?: AbortSignal) =>
    new Request(`http://quittance.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-quittance-client-ip': ip, 'x-request-id': 'test' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    })
  return {
    ip,
    subject: `ip:${ip}`,
    verify: async (body) => read(await verifyUnder('sandbox')(app, request('/sandbox/verify', body), {})),
    settle: async (body, signal) => read(await settleUnder('sandbox')(app, request('/sandbox/settle', body, signal), {})),
  }
}

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The settlements and verifications left, as an answer's headers say; null where it says nothing. */
export function left({ headers }: Answer): { settlements: string | null; verifications: string | null } {
  return { settlements: headers.get('x-settlement-remaining'), verifications: headers.get('x-verification-remaining') }
}

/** USDC of an account on the chain, in atomic units. */
export function balanceOf({ chain }: Harness, account: Address): Promise<bigint> {
  return chain.client.readContract({ address: chain.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [account] })
}

/** The history rows of a recipient, without what differs from run to run. */
export function historyOf({ app }: Harness, payTo: Address) {
  return app.db.history.findMany({
    where: { payTo: payTo.toLowerCase() },
    select: {
      payer: true,
      success: true,
      txHash: true,
      errorReason: true,
      amount: true,
      network: true,
      plan: true,
      tenantId: true,
    },
    orderBy: { createdAt: 'asc' },
  })
}

/** Transactions that our signers have sent so far. */
export async function sentCount({ app, chain }: Harness): Promise<number> {
  const signers = [...app.networks.values()].flatMap(({ signers }) => Object.values(signers).flat())
  const counts = signers.map((address) => chain.client.getTransactionCount({ address: address as Address }))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
