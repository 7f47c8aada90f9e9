import { randomBytes } from 'node:crypto'
import { accountMethods } from './account-methods'
import { blockMethods } from './block-methods'
import { createBlocks } from './blocks'
import { withChannels } from './channels/emulated'
import { clusters } from './clusters'
import { faucetSigner, systemProgram } from './faucet'
import { createHistory } from './history'
import { historyMethods } from './history-methods'
import { createLedger } from './ledger'
import { localMethods } from './local-methods'
import type { Node } from './node'
import { RpcError } from './rpc-error'
import type { Answerer } from './rpc-server'
import { createRuntime } from './runtime'
import { sendMethods } from './send-methods'
import type { ProgramOptions } from './solana'
import { readState, type State, writeState } from './state-file'
import { openTokenAccount, placeMint } from './tokens'

type Validator = {
  answer: Answerer
  /** Stops the blocks and saves the state. */
  stop: () => void
}

const methods = { ...accountMethods, ...blockMethods, ...sendMethods, ...historyMethods, ...localMethods }
const saveEveryMs = 1_000
// The state is written each second while it changes, so it holds fewer than memory does.
const mostSaved = 1_000
const faucetLamports = 5_000_000_000_000_000n

/** Starts a chain, new or from its state file, and makes blocks. Throws for a damaged file or another cluster's. */
export async function startValidator(options: ProgramOptions): Promise<Validator> {
  const { slotMs, confirmMs, finalizedSlots, stateFile } = options
  const cluster = clusters[options.cluster]
  const kept = stateFile === undefined ? undefined : readState(stateFile, cluster.genesisHash)
  const seed = kept?.seed ?? randomBytes(32).toString('hex')
  const runtime = withChannels(createRuntime(kept?.snapshot), cluster.treasury)
  const blocks = createBlocks({
    seed,
    // A new chain starts with enough blocks for every commitment.
    height: kept === undefined ? 2 * finalizedSlots + 1 : kept.height + slotsSince(kept, slotMs),
    confirmedSlots: Math.ceil(confirmMs / slotMs),
    finalizedSlots,
  })
  const history = createHistory(kept?.history ?? { landed: [], firstSlot: 0 })
  let isDirty = kept === undefined
  const touched = (): void => {
    isDirty = true
  }
  const { processed = [], transactionCount = 0 } = kept ?? {}
  const ledger = createLedger({ runtime, blocks, history, processed, transactionCount }, touched)
  const faucet = await faucetSigner(seed)
  if (kept === undefined) {
    placeMint(runtime, cluster.mint)
    await openTokenAccount(runtime, cluster.mint, cluster.treasury)
    runtime.setAccount(faucet.address, {
      lamports: faucetLamports,
      data: new Uint8Array(),
      owner: systemProgram,
      executable: false,
    })
  }

  let producing: NodeJS.Timeout | undefined
  const produce = (how: 'frozen' | 'running'): void => {
    clearInterval(producing)
    producing = how === 'frozen' ? undefined : setInterval(() => ledger.advance(1), slotMs)
  }
  const save = (): void => {
    if (stateFile === undefined || !isDirty) return
    isDirty = false
    writeState(stateFile, {
      genesisHash: cluster.genesisHash,
      seed,
      height: blocks.height('processed'),
      savedAt: Date.now(),
      frozen: producing === undefined,
      transactionCount: ledger.transactionCount(),
      processed: ledger.processed(),
      history: history.newest(mostSaved),
      snapshot: runtime.snapshot(),
    })
  }
  save()
  const saving = setInterval(save, saveEveryMs)
  produce('running')
  const node: Node = { cluster, runtime, blocks, ledger, history, faucet, produce, touched }
  return {
    answer: (name, params) => {
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined
      if (method === undefined) throw new RpcError(-32601, 'Method not found')
      return method(params, node)
    },
    stop: () => {
      clearInterval(saving)
      touched()
      save()
      produce('frozen')
    },
  }
}

// A kept chain goes on while it is stopped, as a real one does, with empty blocks.
function slotsSince({ frozen, savedAt }: State, slotMs: number): number {
  return frozen ? 0 : Math.max(0, Math.floor((Date.now() - savedAt) / slotMs))
}
