import { nonceOf } from '@/server/sign-in/nonce'
import { messageOf } from './sign-in-failures'
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

type Input = { family: 'evm' | 'svm'; address: string; chainId: number; origin: string; nonce: string; now?: Date }

const MINUTES = 10
const STATEMENT = 'Sign in to Quittance. This moves no money and costs nothing.'
const NAMES = { evm: 'Ethereum', svm: 'Solana' } as const

/** The sign-in message of a wallet: EIP-4361, or CAIP-122 for Solana. Valid for ten minutes. */
export function signInText({ family, address, chainId, origin, nonce, now = new Date() }: Input): string {
  const until = new Date(now.getTime() + MINUTES * 60_000)
  return [
    `${new URL(origin).host} wants you to sign in with your ${NAMES[family]} account:`,
    address,
    '',
    STATEMENT,
    '',
    `URI: ${origin}`,
    'Version: 1',
    `Chain ID: ${family === 'evm' ? chainId : 'mainnet'}`,
    `Nonce: ${nonce}`,
    `Issued At: ${now.toISOString()}`,
    `Expiration Time: ${until.toISOString()}`,
  ].join('\n')
}
