import { z } from 'zod'

/** Calls a node; undefined without a result. */
export async function ask(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return z.object({ result: z.unknown() }).parse(await response.json()).result
}
