import { isReceipt, isSend, nowAndThen } from '../fault-house'
import type { KillingGround } from '../kills'
import type { ServiceProcess } from '../process'
import type { Call } from '../rpc-proxy'

/** Two instances and what they stand on, to be disturbed. */
export type Ground = {
  ground: KillingGround
  services: ServiceProcess[]
  /** Starts another instance in the place of one. */
  replace: (at: number) => Promise<void>
  sleep: (ms: number) => Promise<void>
  /** True while the fault shall last. */
  lasts: () => boolean
}

/** Something that goes wrong while payments are made; `id` is its name in the plan of faults. */
export type Fault = { id: string; what: string; happen: (ground: Ground) => Promise<void> }

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))
const waits = ({ sleep, lasts }: Ground) => whileLasting(lasts, () => sleep(500))

async function whileLasting(lasts: () => boolean, step: () => Promise<unknown>): Promise<void> {
  while (lasts()) await step()
}

/** A node that does something to each call for as long as the fault lasts. */
function node(id: string, what: string, disturb: (ground: KillingGround) => void): Fault {
  return {
    id,
    what,
    async happen(ground) {
      disturb(ground.ground)
      await waits(ground)
      ground.ground.node.calm()
    },
  }
}

const late = (ms: number) => node('P1', `every call answered ${ms} ms late`, ({ node }) => node.disturb(() => after(ms)))

const lying = (message: string) =>
  node('P6', `sends taken and answered "${message}"`, ({ node }) =>
    node.disturb(async (call) => {
      if (!isSend(call)) return undefined
      await node.forward(call.method, call.params)
      return { error: { code: -32_000, message } }
    }),
  )

const garbage = (what: string, status: number, body: (right: string) => string) =>
  node('P5', `a fifth of all requests answered with ${what}`, ({ node }) => {
    const fifth = nowAndThen(1 / 5)
    node.receive(() => (fifth() ? { status, body } : undefined))
  })

const isRead = ({ method }: Call) => method === 'eth_getBlockByNumber' || method === 'eth_blockNumber' || method === 'eth_call'

/** The faults of nodes: delays, losses, repetitions, garbage, lies. */
const ofNodes: Fault[] = [
  { id: '—', what: 'nothing goes wrong', happen: waits },
  ...[200, 2_000, 10_000].map(late),
  node('P2', 'a fifth of all requests dropped', ({ node }) => {
    const fifth = nowAndThen(1 / 5)
    node.receive(() => (fifth() ? 'cut' : undefined))
  }),
  node('P3', 'the answers to a fifth of all sends lost', ({ node }) => {
    const fifth = nowAndThen(1 / 5)
    node.disturb((call) => (isSend(call) && fifth() ? 'lose the answer' : undefined))
  }),
  node('P4', 'every request twice', ({ node }) => node.disturb(() => 'twice')),
  garbage('429', 429, () => '{"error":"slow down"}'),
  garbage('502 and HTML', 502, () => '<html>Bad Gateway</html>'),
  garbage('half of its JSON', 200, (right) => right.slice(0, right.length / 2)),
  garbage('the answer to something else', 200, (right) => right.replace(/"id":\d+/, '"id":987654321')),
  ...['already known', 'nonce too low', 'replacement transaction underpriced', 'insufficient funds for gas'].map(lying),
  node('P7', 'a tenth of all sends taken and forgotten', ({ node }) => {
    const tenth = nowAndThen(1 / 10)
    node.disturb((call) => (isSend(call) && tenth() ? { result: `0x${'0'.repeat(64)}` } : undefined))
  }),
  node('P9', 'no receipt shown for half of what is asked', ({ node }) => {
    const half = nowAndThen(1 / 2)
    node.disturb((call) => (isReceipt(call) && half() ? { result: null } : undefined))
  }),
  node('P17', 'a tenth of all reads never answered', ({ node }) => {
    const tenth = nowAndThen(1 / 10)
    node.receive((calls) => (calls.some(isRead) && tenth() ? 'hang' : undefined))
  }),
]

/** The faults of chains and processes. */
const ofOthers: Fault[] = [
  {
    id: 'P12',
    what: 'base fee twenty times as high, then as before',
    async happen({ ground, sleep, lasts }) {
      await whileLasting(lasts, async () => {
        await ground.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20_000_000_000n })
        await sleep(3_000)
      })
    },
  },
  ...[1, 2, 5].map((depth) => ({
    id: 'P13',
    what: `reorganisations of ${depth}, their transactions dropped`,
    happen: ({ ground, sleep, lasts }: Ground) =>
      whileLasting(lasts, async () => {
        await sleep(5_000)
        await ground.chain.reorganise(depth)
      }),
  })),
  {
    id: 'K10',
    what: 'kill -9 of either instance every 3 to 7 s',
    happen: ({ services, replace, sleep, lasts }) =>
      whileLasting(lasts, async () => {
        await sleep(3_000 + Math.random() * 4_000)
        const at = Math.random() < 0.5 ? 0 : 1
        await services[at]?.kill('SIGKILL')
        await replace(at)
      }),
  },
  {
    id: 'K11',
    what: 'kill -9 of both, 10 s down, started again',
    async happen({ services, replace, sleep, lasts }) {
      await sleep(5_000)
      await Promise.all(services.map((service) => service.kill('SIGKILL')))
      await sleep(10_000)
      await Promise.all([replace(0), replace(1)])
      await whileLasting(lasts, () => sleep(500))
    },
  },
  {
    id: 'D10',
    what: 'one instance stopped for longer than its lease, then going on',
    async happen({ services: [first], sleep, lasts }) {
      await whileLasting(lasts, async () => {
        first?.pause()
        await sleep(8_000)
        first?.resume()
        await sleep(4_000)
      })
    },
  },
]

export const faults: readonly Fault[] = [...ofNodes, ...ofOthers]
