import { z } from 'zod'
import { ask } from './ask'
import type { Transfer } from './description'

const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const PROXIES = ['0x402085c248eea27d92e8b30b2c58ed07f9e20001', '0x4020a4f3b7b90cca423b9fabcc0ce57c6c240002']

// keccak256 of Settled(), SettledWithPermit() and Transfer(address,address,uint256)
const SETTLED = '0x97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6'
const SETTLED_WITH_PERMIT = '0xde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
// The selectors of settle and settleWithPermit, the number of words before the payment's own, and whether a charge follows what was signed.
const CALLS = [
  { selector: '13cd3b53', before: 0, charges: false },
  { selector: 'fa340378', before: 5, charges: false },
  { selector: 'ff11e7b4', before: 0, charges: true },
  { selector: '016c1748', before: 5, charges: true },
] as const
// The selector of nonceBitmap(address,uint256)
const NONCE_BITMAP = '0x4fe02b44'

const hex = z.string().toLowerCase()
const logSchema = z.object({ address: hex, topics: z.array(hex), data: hex, transactionHash: hex })
const receiptSchema = z.object({ logs: z.array(logSchema) })
const transactionSchema = z.object({ from: hex, input: hex })

type Payment = { token: string; from: string; to: string; value: bigint }

/** The payments by Permit2 that x402's proxies made. Its event names nothing: the log before it says what moved, the calldata which nonce. */
export async function permit2TransfersOf(rpcUrl: string, network: string): Promise<Transfer[]> {
  const range = { fromBlock: '0x0', toBlock: 'latest' }
  const events = z.array(logSchema).parse(await ask(rpcUrl, 'eth_getLogs', [{ address: PROXIES, ...range }]))
  const found: Transfer[] = []
  for (const txHash of new Set(events.map(({ transactionHash }) => transactionHash))) {
    const { logs } = receiptSchema.parse(await ask(rpcUrl, 'eth_getTransactionReceipt', [txHash]))
    const { from: sender, input } = transactionSchema.parse(await ask(rpcUrl, 'eth_getTransactionByHash', [txHash]))
    const signed = signedIn(input)
    for (const moved of movedIn(logs)) {
      for (const [at, { nonce, signed: most, ...payment }] of signed.entries()) {
        if (!isSame(payment, moved) || !(await isUsed(rpcUrl, moved.from, nonce))) continue
        signed.splice(at, 1)
        const { token: asset, from: payer, to: payTo, value } = moved
        found.push({
          network,
          payer,
          nonce: String(nonce),
          payTo,
          asset,
          value,
          txHash,
          sender,
          ...(most ? { signed: most } : {}),
        })
        break
      }
    }
  }
  return found
}

const isSame = (a: Payment, b: Payment) => a.token === b.token && a.from === b.from && a.to === b.to && a.value === b.value

/** The last transfer before each event of a proxy. A token that moves nothing leaves none. */
function movedIn(logs: z.infer<typeof logSchema>[]): Payment[] {
  const moved: Payment[] = []
  let last: Payment | null = null
  for (const { address, topics, data } of logs) {
    const [event = '', from = '', to = ''] = topics
    if (event === TRANSFER) last = { token: address, from: account(from), to: account(to), value: BigInt(data) }
    if (!PROXIES.includes(address) || (event !== SETTLED && event !== SETTLED_WITH_PERMIT)) continue
    if (last) moved.push(last)
    last = null
  }
  return moved
}

/** Every payment that calldata holds, in a call of a proxy, of a multicall or of a program. */
function signedIn(input: string): (Payment & Pick<Transfer, 'signed'> & { nonce: bigint })[] {
  const calls = CALLS.flatMap(({ selector, before, charges }) =>
    [...input.matchAll(new RegExp(selector, 'g'))].map(({ index }) => ({ at: index, from: index + 8 + 64 * before, charges })),
  )
  return calls
    .sort((a, b) => a.at - b.at)
    .flatMap(({ from, charges }) => {
      const words = Array.from({ length: 8 }, (_, at) => input.slice(from + 64 * at, from + 64 * (at + 1)))
      const [token = '', most = '', nonce = '', , ...rest] = words
      const [value = '', owner = '', to = '', facilitator = ''] = charges ? rest : [most, ...rest]
      if (to.length < 64 || ![token, owner, to].every((word) => word.startsWith('0'.repeat(24)))) return []
      const payment = { token: account(token), from: account(owner), to: account(to), value: BigInt(`0x${value}`) }
      const signed = { maximum: BigInt(`0x${most}`), facilitator: account(facilitator) }
      return [{ ...payment, nonce: BigInt(`0x${nonce}`), ...(charges ? { signed } : {}) }]
    })
}

async function isUsed(rpcUrl: string, owner: string, nonce: bigint): Promise<boolean> {
  const data = NONCE_BITMAP + owner.slice(2).padStart(64, '0') + (nonce >> 8n).toString(16).padStart(64, '0')
  const word = hex.parse(await ask(rpcUrl, 'eth_call', [{ to: PERMIT2, data }, 'latest']))
  return ((BigInt(word) >> (nonce & 255n)) & 1n) === 1n
}

/** The address in a word of 32 bytes. */
const account = (word: string) => `0x${word.slice(-40)}`
