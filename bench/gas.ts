// The gas of lone payments and of batches of 30, by method: `node scripts/bench.mjs gas`. Prints the table of docs/benchmarks.md.
import { type Address, type Hex, size } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startChain } from '../devnet/chain'
import { transfersCall } from '../server/chains/evm/transactions'
import type { SignedTransfer } from '../server/x402/schemes/evm-method'
import { methodFor } from '../server/x402/schemes/evm-methods'
import { eip3009Transfers, permit2Transfers, uptoTransfers } from '../test/support/chain/signed-transfers'
import { createPermit2Forge } from '../test/support/permit2/permit2'
import { createUptoForge } from '../test/support/permit2/upto'

const NETWORK = 'eip155:84532'
const BATCH = 30
const chain = await startChain({ chainId: 84532 })
const forge = createPermit2Forge(chain)
const uptoForge = createUptoForge(chain)
const token = await forge.usual()
const relayer = privateKeyToAccount(generatePrivateKey())
await chain.fund(relayer.address, 10n ** 20n)
const known = privateKeyToAccount(generatePrivateKey()).address
const stranger = (): Address => privateKeyToAccount(generatePrivateKey()).address
const paying = (to: Address) => ({ signed: { to }, requirements: { payTo: to } })

type Make = (count: number, to: Address) => Promise<SignedTransfer[]>
const METHODS: Record<string, Make> = {
  'EIP-3009': (count, to) => eip3009Transfers(chain, count, to),
  Permit2: (count, to) => permit2Transfers(forge, count, paying(to)),
  'Permit2 with a permit': (count, to) =>
    permit2Transfers(forge, count, { ...paying(to), approved: false, extensions: forge.permitting() }),
  'Permit2, upto': (count, to) =>
    uptoTransfers(uptoForge, count, { ...paying(to), facilitator: relayer.address, token, charge: 700n }),
}

async function gasOf(transfers: readonly SignedTransfer[]): Promise<{ used: bigint; bytes: number }> {
  const { to, data, gas } = transfersCall(NETWORK, transfers, false)
  const hash = await chain.client.sendTransaction({ account: relayer, chain: chain.client.chain, to, data, gas })
  const { status, gasUsed, logs } = await chain.client.waitForTransactionReceipt({ hash })
  const moved = transfers.filter((one) =>
    methodFor(one)
      .proofsIn(logs.map(asLog))
      .some(([name]) => name === methodFor(one).proof(one)),
  )
  if (status !== 'success' || moved.length < transfers.length) throw new Error('a measured transfer was not made')
  return { used: gasUsed, bytes: size(data) }
}

const asLog = ({ address, topics, data }: { address: Hex; topics: readonly Hex[]; data: Hex }) => ({
  address: address.toLowerCase() as Hex,
  topics: [...topics],
  data,
})

const thousands = (gas: bigint): string => gas.toLocaleString('en-US')
console.log(
  '| method | alone | alone, to a new recipient | each of a batch of 30 | bytes of that batch | limit alone | limit in a batch |',
)
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const [name, make] of Object.entries(METHODS)) {
  await gasOf(await make(1, known))
  const [one] = await make(1, known)
  if (!one) throw new Error('there is one')
  const [alone, fresh] = [await gasOf([one]), await gasOf(await make(1, stranger()))]
  // What one account alone may send is in no batch.
  const isAlone = methodFor(one).sender(one) !== null
  const batch = isAlone ? null : await gasOf(await make(BATCH, known))
  const limit = methodFor(one).gas(one)
  const figures = [
    alone.used,
    fresh.used,
    batch && batch.used / BigInt(BATCH),
    batch && BigInt(batch.bytes),
    limit.alone,
    isAlone ? null : limit.inBatch,
  ]
  console.log(`| ${[name, ...figures.map((figure) => (figure === null ? 'none' : thousands(figure)))].join(' | ')} |`)
}
await chain.stop()
