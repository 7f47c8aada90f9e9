import { numberToHex } from 'viem'
import { z } from 'zod'
import type { Call, Fate, RpcProxy } from './faulty-node'

const Block = z.object({ number: z.string() })
const Receipt = z.object({ blockNumber: z.string() })

/** The answer of a node that is `lag` blocks behind: newer blocks, receipts and state are missing. */
export async function fromBehind(node: RpcProxy, { method, params }: Call, lag: bigint): Promise<Fate> {
  if (lag === 0n) return undefined
  const { result: newest } = await node.forward('eth_blockNumber', [])
  const head = BigInt(z.string().parse(newest)) - lag
  const instead = async (...asked: unknown[]) => answerOf(await node.forward(method, asked))
  switch (method) {
    case 'eth_getBlockByNumber':
      if (params[0] === 'latest') return instead(numberToHex(head), params[1])
      return BigInt(String(params[0])) > head ? { result: null } : undefined
    case 'eth_getTransactionReceipt': {
      const { result } = await node.forward(method, params)
      return result && BigInt(Receipt.parse(result).blockNumber) > head ? { result: null } : undefined
    }
    case 'eth_call':
    case 'eth_getCode':
    case 'eth_getBalance':
    case 'eth_getTransactionCount': {
      if (params[1] === 'latest' || params[1] === 'pending') return instead(params[0], numberToHex(head))
      const known = await knows(node, params[1], head)
      return known ? undefined : { error: { code: -32_000, message: 'header not found' } }
    }
    default:
      return undefined
  }
}

const Named = z.object({ blockHash: z.string() })
const Refusal = z.object({ code: z.number(), message: z.string() })

async function knows(node: RpcProxy, at: unknown, head: bigint): Promise<boolean> {
  const { result } = await node.forward('eth_getBlockByHash', [Named.parse(at).blockHash, false])
  return BigInt(Block.parse(result).number) <= head
}

function answerOf({ result, error }: { result?: unknown; error?: unknown }): Fate {
  return error === undefined ? { result } : { error: Refusal.parse(error) }
}
