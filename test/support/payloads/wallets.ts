import { isServiceError } from '../../../server/base/errors'
import type { WalletChain } from '../../../server/sign-in/evm-signature'
import { createWallets } from '../../../server/sign-in/wallets'
import { evmWallet, ORIGIN, type SigningWallet, solanaWallet } from './sign-in'

/** The time of these tests. */
export const NOW = new Date('2026-11-21T12:00:00Z')
export const place = { baseUrl: ORIGIN, maxAgeHours: 168 }
/** Judges messages for a service, with the answers of wallets' code on the chain whose code counts. */
export const prover = (chain: WalletChain | null = null, where = place) => createWallets({ origin: where, chain, now: () => NOW })
const prove = prover()
export const anna = evmWallet()
export const sol = solanaWallet()

/** The result of a signed message: the wallet, or the refusal's kind and message. */
export async function answerTo(text: string, { sign }: Pick<SigningWallet, 'sign'> = anna, by = prove): Promise<string> {
  const signature = await sign(text)
  return by({ text, signature }).catch((error: unknown) => {
    if (!isServiceError(error)) throw error
    return `${error.refusal}: ${error.message}`
  })
}
