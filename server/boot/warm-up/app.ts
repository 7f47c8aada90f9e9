import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import type { KeyRecord } from '../../accounts/key-queries'
import { type App, unixNow } from '../../app'
import { createLog } from '../../base/log'
import { untimed } from '../../base/timing'
import { createEvmChain, type EvmChain } from '../../chains/evm/chain'
import { createRpc } from '../../chains/evm/rpc'
import { createSigner, type Signer } from '../../chains/evm/signer'
import type { Db } from '../../db/database'
import type { Engine } from '../../ledger/engine'
import { claimOf } from '../../ledger/orders'
import { claimIntent } from '../../ledger/statements/claims'
import { createReceipts } from '../../payments/receipts'
import { noScreening } from '../../screening/screening'
import { createMadeUpDb } from './database'
import { MADE_UP_NETWORK } from './payments'

const ID = '00000000-0000-0000-0000-00000000ffff'

const key: KeyRecord = {
  keyId: ID,
  tenantId: ID,
  version: 1,
  ownerKind: 'oidc',
  ownerId: 'warm-up',
  plan: 'scale',
  historyEnabled: true,
  ownQuota: false,
  madeFrom: null,
  rps: null,
  settlementQuota: null,
  verificationQuota: null,
  allowedNetworks: [],
  payToAllow: [],
  maxAmount: null,
  shareTransactions: true,
  waitUntil: null,
  publicReceipts: false,
}

/**
 * An App that judges and settles made-up payments on a made-up node, for one API key. It writes no row, counts nothing and sends nothing.
 * Its receipts are not of the service: a key of its own signs them, because no money moved.
 */
export async function createMadeUpApp(app: App, { nodeUrl, secret }: { nodeUrl: string; secret: string }): Promise<App> {
  const log = createLog('info', { destination: { write() {} } })
  const chain = createEvmChain(MADE_UP_NETWORK, createRpc([nodeUrl], MADE_UP_NETWORK, log))
  const signer = createSigner(toHex(randomBytes(32)))
  const signers = { production: [signer.address], sandbox: [] }
  const db = createMadeUpDb(app.db)
  const find = async (asked: string) => (asked === secret ? key : null)
  return {
    ...app,
    // The operator's minimum is not for made-up payments.
    config: { ...app.config, minPayment: 0n },
    db,
    log,
    timing: untimed,
    networks: new Map([[MADE_UP_NETWORK, { family: 'evm', chain, flash: null, signers, endpoints: () => [] }]]),
    remotes: new Map(),
    rateLimit: async () => {},
    keyring: { find, findAgain: find, forget() {} },
    receipts: await createReceipts([randomBytes(32)], app.config.baseUrl, () => unixNow(app)),
    screening: { production: noScreening, sandbox: noScreening },
    expectEffects() {},
    engine: madeUpEngine(app.engine, { db, chain, signer }),
  }
}

/** Claims on a made-up database and signs as a lane does; the transaction goes nowhere. */
function madeUpEngine(engine: Engine, { db, chain, signer }: { db: Db; chain: EvmChain; signer: Signer }): Engine {
  let nonce = 0n
  return {
    ...engine,
    requireSubmitter: async () => {},
    arriving: () => () => {},
    async settle(order, _waiting, arrived) {
      arrived()
      if (order.family !== 'evm') throw new Error('a made-up payment is of an EVM network')
      const claim = { ...claimOf(order), waiter: 'warm-up:1', deadlineMs: engine.deadlineMs, queuedBy: 'warm-up' }
      const { used } = await claimIntent(db, claim)
      const fees = { maxFeePerGas: 2n * order.baseFee, tipPerGas: 1n }
      const { hash } = chain.sign(signer, nonce++, [order.transfer], fees, false)
      const place = { block: order.judgedBlock, logIndex: 0, finality: 'safe', version: 1 } as const
      return { end: 'landed', settlementId: order.id, transaction: hash, place, used }
    },
  }
}
