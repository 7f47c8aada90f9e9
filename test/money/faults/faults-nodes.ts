import type { Call, RpcProxy } from '../../support/nodes/faulty-node'
import { fromBehind } from '../../support/nodes/stale-node'
import { after, type Fault, node, requests, waits } from './fault'
import { isReceipt, isSend, nowAndThen } from './fault-harness'

type HasNode = { node: RpcProxy }

const fifth = () => nowAndThen(1 / 5)

/** Delays the answer to every call by `ms`. */
const late = (ms: number): Fault<HasNode> =>
  node('P1', `every call answered ${ms} ms late`, ({ node }) => node.disturb(() => after(ms)))

const lying = (message: string) =>
  node('P6', `sends taken and answered "${message}"`, ({ node }) =>
    node.disturb(async (call) => {
      if (!isSend(call)) return undefined
      await node.forward(call.method, call.params)
      return { error: { code: -32_000, message } }
    }),
  )

const garbage = (what: string, status: number, body: (right: string) => string) =>
  requests('P5', `a fifth of all requests answered with ${what}`, { status, body }, fifth)

/** Faults of any chain's node. */
export const ofAnyNode: readonly Fault<HasNode>[] = [
  { id: '—', what: 'nothing goes wrong', happen: waits },
  ...[200, 2_000].map(late),
  requests('P2', 'a fifth of all requests dropped', 'cut', fifth),
  node('P4', 'every request twice', ({ node }) => node.disturb(() => 'twice')),
  garbage('429', 429, () => '{"error":"slow down"}'),
  garbage('502 and HTML', 502, () => '<html>Bad Gateway</html>'),
  garbage('half of its JSON', 200, (right) => right.slice(0, right.length / 2)),
  garbage('the answer to something else', 200, (right) => right.replace(/"id":\d+/, '"id":987654321')),
]

const isRead = ({ method }: Call) => method === 'eth_getBlockByNumber' || method === 'eth_blockNumber' || method === 'eth_call'

/** Every second call reaches a node that is this many blocks behind, as with a load-balanced provider. */
const behind = (blocks: bigint) =>
  node('P8', `nodes in turn 0 and ${blocks} blocks behind`, ({ node }) => {
    const half = nowAndThen(1 / 2)
    node.disturb((call) => fromBehind(node, call, half() ? blocks : 0n))
  })

/** Faults of an EVM node. */
export const ofNodes: readonly Fault<HasNode>[] = [
  late(10_000),
  node('P3', 'the answers to a fifth of all sends lost', ({ node }) => {
    const happens = fifth()
    node.disturb((call) => (isSend(call) && happens() ? 'lose the answer' : undefined))
  }),
  ...['already known', 'nonce too low', 'replacement transaction underpriced', 'insufficient funds for gas'].map(lying),
  node('P7', 'a tenth of all sends taken and forgotten', ({ node }) => {
    const tenth = nowAndThen(1 / 10)
    node.disturb((call) => (isSend(call) && tenth() ? { result: `0x${'0'.repeat(64)}` } : undefined))
  }),
  ...[1n, 5n, 50n].map(behind),
  node('P9', 'no receipt shown for half of what is asked', ({ node }) => {
    const half = nowAndThen(1 / 2)
    node.disturb((call) => (isReceipt(call) && half() ? { result: null } : undefined))
  }),
  node('P17', 'a tenth of all reads never answered', ({ node }) => {
    const tenth = nowAndThen(1 / 10)
    node.receive((calls) => (calls.some(isRead) && tenth() ? 'hang' : undefined))
  }),
]
