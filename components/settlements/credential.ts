/** Whose settlements a credential shows, and where they are asked for. */
export type Source = { path: string; title: string; about: string }

const SOURCES = {
  wallet: { path: '/api/v1/history', title: 'Your payments', about: 'What your wallet has paid, newest first.' },
  merchant: { path: '/api/me/history', title: 'Your settlements', about: 'What was settled with your API keys, newest first.' },
  admin: { path: '/admin/history', title: 'All settlements', about: 'What everybody has settled here, newest first.' },
} as const satisfies Record<string, Source>

/** The history that a credential opens, by its form: a session token, a JWT, or else the admin key. */
export function sourceOf(credential: string): Source {
  if (credential.startsWith('st_')) return SOURCES.wallet
  return credential.split('.').length === 3 ? SOURCES.merchant : SOURCES.admin
}

type Ethereum = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }

/** The browser's Ethereum wallet, where there is one. */
export function browserWallet(): Ethereum | undefined {
  return typeof window === 'undefined' ? undefined : (Reflect.get(window, 'ethereum') as Ethereum | undefined)
}

const MINUTES = 10

/** Signs in with the browser's wallet (EIP-4361) and resolves with a session token. Throws with what the wallet or the service said. */
export async function signInWith(wallet: Ethereum): Promise<string> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof address !== 'string') throw new Error('The wallet told no address.')
  const message = messageFor(await checksummed(address), String(await wallet.request({ method: 'eth_chainId' })))
  const hex = `0x${Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  const signature = String(await wallet.request({ method: 'personal_sign', params: [hex, address] }))
  const headers = { 'x-siwe-message': btoa(message), 'x-siwe-signature': signature }
  const response = await fetch('/api/v1/auth/siwe', { method: 'POST', headers })
  const answer: { token?: string; error?: string } = await response.json()
  if (answer.token === undefined) throw new Error(answer.error ?? 'The service did not accept the signature.')
  return answer.token
}

// Wallets tell addresses in lower case too; the message must hold the checksummed form.
async function checksummed(address: string): Promise<string> {
  const { getAddress, isAddress } = await import('viem/utils')
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}

function messageFor(address: string, chainId: string): string {
  const now = new Date()
  const until = new Date(now.getTime() + MINUTES * 60_000)
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [
    `${window.location.host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    'Show me my payments.',
    '',
    `URI: ${window.location.origin}`,
    'Version: 1',
    `Chain ID: ${Number.parseInt(chainId, 16)}`,
    `Nonce: ${nonce}`,
    `Issued At: ${now.toISOString()}`,
    `Expiration Time: ${until.toISOString()}`,
  ].join('\n')
}
