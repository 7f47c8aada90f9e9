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
