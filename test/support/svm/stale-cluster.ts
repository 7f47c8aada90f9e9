import { z } from 'zod'
import type { Call, Fate, RpcProxy } from '../nodes/faulty-node'

const InContext = z.object({ context: z.object({ slot: z.number() }), value: z.unknown() })
const Statuses = z.array(z.object({ slot: z.number() }).loose().nullable())
const Epoch = z.object({ absoluteSlot: z.number(), blockHeight: z.number() }).loose()

/** The answer of a node that is `lag` slots behind, more than a blockhash's life. It knows no recent payment and accepts every send. */
export async function fromSlotsBehind(node: RpcProxy, { method, params }: Call, lag: number): Promise<Fate> {
  const asked = async () => (await node.forward(method, params)).result
  const inContext = async (make: (value: unknown, head: number) => unknown) => {
    const { context, value } = InContext.parse(await asked())
    const slot = context.slot - lag
    return { result: { context: { ...context, slot }, value: make(value, slot) } }
  }
  switch (method) {
    case 'getBlockHeight':
    case 'getSlot':
      return { result: z.number().parse(await asked()) - lag }
    case 'getEpochInfo': {
      const { absoluteSlot, blockHeight, ...rest } = Epoch.parse(await asked())
      return { result: { ...rest, absoluteSlot: absoluteSlot - lag, blockHeight: blockHeight - lag } }
    }
    case 'getSignatureStatuses':
      return inContext((value, head) => Statuses.parse(value).map((status) => (status && status.slot <= head ? status : null)))
    case 'simulateTransaction':
      return inContext(() => ({ err: 'BlockhashNotFound', logs: [], accounts: null }))
    case 'isBlockhashValid':
      return inContext(() => false)
    default:
      return undefined
  }
}
