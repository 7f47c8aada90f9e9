import { isServiceError } from '../server/errors'
import type { CodeOf } from '../server/sign-in/evm-signature'
import { createWallets } from '../server/sign-in/wallets'
import { evmWallet, ORIGIN, type SigningWallet, solanaWallet } from './sign-in'

/** The time of these tests. */
export const NOW = new Date('2026-11-21T12:00:00Z')
export const place = { baseUrl: ORIGIN, maxAgeHours: 168 }
export const noNode: CodeOf = () => ({ insteadOn: null })
/** Judges messages for a service, with the answers of wallets' code. */
export const prover = (codeOf: CodeOf = noNode, where = place) => createWallets({ origin: where, codeOf, now: () => NOW })
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
