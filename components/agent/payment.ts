import { getAddress } from 'viem'
import type { TransferParts } from '@/server/services/transfer-parts'
import type { SigningWallet } from '../wallets/signing-wallet'
import { isSvmTerms, type Terms } from '../wallets/terms'
import { transferFor, transferPayload } from '../wallets/transfer'

/**
 * The payload with which a connected wallet pays these terms from an address. `fetchParts` gives what a Solana transaction is built from.
 * Throws what the wallet says when it does not sign, and for a wallet of another family.
 */
export async function signPayment(
  wallet: SigningWallet,
  address: string,
  terms: Terms,
  fetchParts: () => Promise<TransferParts>,
): Promise<Record<string, unknown>> {
  if (isSvmTerms(terms) && wallet.family === 'svm') {
    // Large, and only Solana payments need it. The blockhash expires within a minute, so it is fetched last.
    const { solanaPayload, solanaTransfer } = await import('../wallets/solana-transfer')
    return solanaPayload(await wallet.signTransaction(solanaTransfer(terms, address, await fetchParts()), terms.network))
  }
  if (isSvmTerms(terms) || wallet.family === 'svm') throw new Error(`${wallet.name} cannot pay on this network.`)
  const transfer = transferFor(terms, getAddress(address))
  return transferPayload(transfer, await wallet.signTransfer(transfer))
}
