import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createErc20ApprovalGasSponsoringExtension, type TransactionRequest } from '@x402/extensions'
import express from 'express'
import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  type NonceManager,
  parseTransaction,
  publicActions,
  recoverTransactionAddress,
  type TransactionSerialized,
  type VerifyTypedDataParameters,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainId, networks } from '../../../devnet/networks'

type OfficialFacilitatorOptions = {
  chainId: ChainId
  chainUrl: string
  /** The key that signs and pays gas; its address needs ether. */
  key: Hex
  /** If unset, two concurrent settles get the same nonce from the node. */
  nonceManager?: NonceManager
  pollingIntervalMs?: number
}

/** The official TypeScript facilitator, served as its examples serve it. */
export type OfficialFacilitator = { url: string; signer: Address; close: () => Promise<void> }

/** Starts the official facilitator on a free port. */
export async function startOfficialFacilitator(options: OfficialFacilitatorOptions): Promise<OfficialFacilitator> {
  const { signer, facilitator } = facilitatorOf(options)
  return { signer, ...(await serveFacilitator(facilitator)) }
}

/** Serves an official facilitator with any registered schemes on a free port. */
export async function serveFacilitator(facilitator: x402Facilitator): Promise<Omit<OfficialFacilitator, 'signer'>> {
  const app = express()
  app.use(express.json({ limit: '1mb' }))
  app.post(
    '/verify',
    answering((payload, requirements) => facilitator.verify(payload, requirements)),
  )
  app.post(
    '/settle',
    answering((payload, requirements) => facilitator.settle(payload, requirements)),
  )
  app.get('/supported', (_request, response) => void response.json(facilitator.getSupported()))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function facilitatorOf(options: OfficialFacilitatorOptions) {
  const signer = officialSigner(options)
  const [address] = signer.getAddresses()
  if (!address) throw new Error('the official signer has no address')
  return {
    signer: address,
    facilitator: new x402Facilitator()
      .register(networks[options.chainId].id, new ExactEvmScheme(signer))
      .register(networks[options.chainId].id, new BatchSettlementEvmScheme(signer)),
  }
}

/** The signer through which the official facilitator reads and sends. */
export function officialSigner(options: OfficialFacilitatorOptions) {
  const client = clientOf(options)
  return toFacilitatorEvmSigner({
    address: client.account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(asTypedData(args)),
    writeContract: (args) => client.writeContract(args),
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  })
}

function clientOf({ chainId, chainUrl, key, nonceManager, pollingIntervalMs = 100 }: OfficialFacilitatorOptions) {
  const account = privateKeyToAccount(key, nonceManager ? { nonceManager } : {})
  const { chain } = networks[chainId]
  return createWalletClient({ account, chain, transport: http(chainUrl), pollingInterval: pollingIntervalMs }).extend(
    publicActions,
  )
}

/**
 * The official extension by which a facilitator sends a payer's signed approval and pays its gas. The official package leaves
 * its signer to the operator; this one sends one transaction after the other.
 */
export function approvalSponsoring(options: OfficialFacilitatorOptions) {
  const client = clientOf(options)
  const call = (transaction: Exclude<TransactionRequest, string>) => ({ ...transaction, account: client.account })
  const landed = async (hash: Hex): Promise<Hex> => {
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
    return hash
  }
  const sendSigned = async (serializedTransaction: Hex): Promise<Hex> => {
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(serializedTransaction)
    const to = await recoverTransactionAddress({ serializedTransaction: asSigned(serializedTransaction) })
    await landed(await client.sendTransaction({ to, value: gas * maxFeePerGas }))
    return landed(await client.sendRawTransaction({ serializedTransaction }))
  }
  const sendTransactions = async (transactions: TransactionRequest[]): Promise<Hex[]> => {
    const hashes: Hex[] = []
    for (const transaction of transactions) {
      const sent = typeof transaction === 'string' ? sendSigned(transaction) : client.sendTransaction(call(transaction))
      hashes.push(await sent)
    }
    return hashes
  }
  const simulateTransactions = async (transactions: TransactionRequest[]): Promise<boolean> => {
    const calls = await Promise.all(transactions.map((one) => (typeof one === 'string' ? callOfSigned(one) : call(one))))
    const [block] = await client.simulateBlocks({ blocks: [{ calls }] })
    return block?.calls.every(({ status }) => status === 'success') ?? false
  }
  return createErc20ApprovalGasSponsoringExtension({ ...officialSigner(options), sendTransactions, ...{ simulateTransactions } })
}

/** A signed transaction as the call that it makes. */
async function callOfSigned(serializedTransaction: Hex) {
  const { to, data } = parseTransaction(serializedTransaction)
  const account = await recoverTransactionAddress({ serializedTransaction: asSigned(serializedTransaction) })
  if (!to) throw new Error('a signed transaction without a target is no approval')
  return { account, to, data: data ?? '0x' }
}

/** Viem tells signed transactions apart by their type; the protocol has them as hex. */
const asSigned = (hex: Hex) => hex as TransactionSerialized

// The official signer's port types the same fields more loosely.
function asTypedData(args: object): VerifyTypedDataParameters {
  return args as VerifyTypedDataParameters
}

type Act = (payload: PaymentPayload, requirements: PaymentRequirements) => Promise<object>

/** A route like the official example's: 400 without a payment, 500 for any thrown error. */
function answering(act: Act) {
  return async (request: express.Request, response: express.Response): Promise<void> => {
    const {
      paymentPayload,
      paymentRequirements,
    }: { paymentPayload?: PaymentPayload; paymentRequirements?: PaymentRequirements } = request.body
    if (!paymentPayload || !paymentRequirements) {
      response.status(400).json({ error: 'Missing paymentPayload or paymentRequirements' })
      return
    }
    try {
      response.json(await act(paymentPayload, paymentRequirements))
    } catch (error) {
      response.status(500).json({ error: error instanceof Error ? error.message : 'Unknown error' })
    }
  }
}
