import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import express from 'express'
import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  type NonceManager,
  publicActions,
  type VerifyTypedDataParameters,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ChainId, networks } from '../devnet/networks'

export type OfficialFacilitatorOptions = {
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
    facilitator: new x402Facilitator().register(networks[options.chainId].id, new ExactEvmScheme(signer)),
  }
}

/** The signer through which the official facilitator reads and sends. */
export function officialSigner({ chainId, chainUrl, key, nonceManager, pollingIntervalMs = 100 }: OfficialFacilitatorOptions) {
  const account = privateKeyToAccount(key, nonceManager ? { nonceManager } : {})
  const { chain } = networks[chainId]
  const client = createWalletClient({ account, chain, transport: http(chainUrl), pollingInterval: pollingIntervalMs }).extend(
    publicActions,
  )
  return toFacilitatorEvmSigner({
    address: account.address,
    getCode: (args) => client.getCode(args),
    readContract: (args) => client.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => client.verifyTypedData(asTypedData(args)),
    writeContract: (args) => client.writeContract(args),
    sendTransaction: (args) => client.sendTransaction(args),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  })
}

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
