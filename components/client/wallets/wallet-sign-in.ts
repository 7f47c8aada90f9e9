import { nonceOf } from '@/server/sign-in/nonce'
import { messageOf } from './sign-in-failures'
import { signInText } from './sign-in-text'
import type { SigningWallet } from './signing-wallet'

/** Signs in with a wallet, by a message for this browser only. Returns an error text, or null after success. Throws the wallet's error. */
export async function signInWith(wallet: SigningWallet): Promise<string | null> {
  const { address, chainId } = await wallet.connect()
  const { getCsrfToken, signIn } = await import('next-auth/react')
  const csrfToken = await getCsrfToken()
  if (!csrfToken) return 'The service did not answer. Check your connection and try again.'
  const nonce = await nonceOf(csrfToken)
  const message = signInText({ family: wallet.family, address, chainId, origin: location.origin, nonce })
  const signature = await wallet.sign(message, address)
  const answer = await signIn('wallet', { message, signature, redirect: false })
  return answer?.ok ? null : messageOf(answer?.error)
}
