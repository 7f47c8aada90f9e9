import { getAddress } from 'viem'
import type { TransferParts } from '@/server/agents/purchase-payment'
import type { SigningWallet } from '../wallets/signing-wallet'
import { solanaPayload, solanaTransfer } from '../wallets/solana-transfer'
import { isSvmTerms, type Terms } from '../wallets/terms'
import { transferFor, transferPayload } from '../wallets/transfer'

/**
 * The payload with which a connected wallet pays these terms from an address. `ask` tells what a transaction of Solana is built from: asked
 * last, because it is good for a minute. Throws what the wallet says when it does not sign, and for a wallet of another family.
 */
export async function signPayment(
  wallet: SigningWallet,
  address: string,
  terms: Terms,
  ask: () => Promise<TransferParts>,
): Promise<Record<string, unknown>> {
  if (isSvmTerms(terms) && wallet.family === 'svm') {
    return solanaPayload(await wallet.signTransaction(solanaTransfer(terms, address, await ask()), terms.network))
  }
  if (isSvmTerms(terms) || wallet.family === 'svm') throw new Error(`${wallet.name} cannot pay on this network.`)
  const transfer = transferFor(terms, getAddress(address))
  return transferPayload(transfer, await wallet.signTransfer(transfer))
}
