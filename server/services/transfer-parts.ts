import { ServiceError } from '../errors'
import { associatedAccount } from '../x402/associated-account'
import { type NetworkId, networks } from '../x402/networks'
import type { App } from './app'
import { offerOn, purchaseNetworks } from './offers'

/** What a payment for credits on Solana is built from, besides the offer: a fresh blockhash, and the accounts that its USDC leaves and reaches. */
export type TransferParts = { blockhash: string; source: string; destination: string }

/**
 * The parts of a wallet's payment for credits. Throws `bad_request` where credits are not sold for USDC on Solana, or not to this wallet,
 * and `upstream` when no node answers.
 */
export async function partsOfTransfer(app: App, wallet: string, network: NetworkId): Promise<TransferParts> {
  const configured = app.networks.get(network)
  if (configured?.family !== 'svm' || !purchaseNetworks(app).includes(network)) {
    throw new ServiceError('bad_request', `credits are not sold on ${networks[network].title} for transactions of Solana`)
  }
  const { asset, payTo } = offerOn(app, network, 0n)
  const [source, destination] = [associatedAccount(wallet, asset), associatedAccount(payTo, asset)]
  if (!source || !destination) throw new ServiceError('bad_request', 'this wallet has no account on Solana')
  return { blockhash: await configured.chain.blockhash(), source, destination }
}
