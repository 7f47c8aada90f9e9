import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The lines of a sign-in message by name; null omits a line. */
export type Lines = Partial<Record<keyof typeof NAMES, string | null>> & {
  head?: string
  statement?: string | null
  /** Text after the last line. */
  tail?: string
}

const NAMES = {
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
} as const

/** A wallet that can sign in; signatures are in the format that wallets return to websites. */
export type SigningWallet = { family: 'Ethereum' | 'Solana'; address: string; sign: (text: string) => Promise<string> }

/** The default origin of signed messages. */
export const ORIGIN = 'http://localhost:3000'

/** A sign-in message that is valid for ten minutes from now; lines can be overridden. */
export function signInText({ family, address }: Omit<SigningWallet, 'sign'>, lines: Lines = {}, now = new Date()): string {
  const { head = `localhost:3000 wants you to sign in with your ${family} account:`, statement = 'Show my payments.' } = lines
  const standing = {
    uri: ORIGIN,
    version: '1',
    chainId: family === 'Solana' ? 'mainnet' : '84532',
    nonce: '32891756abcd',
    issuedAt: now.toISOString(),
    expirationTime: new Date(now.getTime() + 600_000).toISOString(),
    notBefore: null,
    requestId: null,
  }
  const values = { ...standing, ...lines }
  const named = Object.entries(NAMES).flatMap(([key, name]) => {
    const value = values[key as keyof typeof NAMES]
    return value === null || value === undefined ? [] : [`${name}: ${value}`]
  })
  return [head, address, '', ...(statement === null ? [] : [statement]), '', ...named].join('\n') + (lines.tail ?? '')
}

/** The two headers with a signed sign-in message. */
export async function siweHeaders(wallet: SigningWallet, lines: Lines = {}, now = new Date()): Promise<Record<string, string>> {
  return headersOf(wallet, signInText(wallet, lines, now))
}

/** The two headers with any signed text. */
export async function headersOf(wallet: Pick<SigningWallet, 'sign'>, text: string): Promise<Record<string, string>> {
  return { 'x-siwe-message': Buffer.from(text).toString('base64'), 'x-siwe-signature': await wallet.sign(text) }
}

/** An EVM wallet with one key, a new one if unset. */
export function evmWallet(account: LocalAccount = privateKeyToAccount(generatePrivateKey())): SigningWallet {
  return { family: 'Ethereum', address: account.address, sign: (message) => account.signMessage({ message }) }
}

/** A new Solana wallet. */
export function solanaWallet(): SigningWallet & { signBytes: (bytes: Uint8Array) => Promise<string> } {
  const seed = randomBytes(32)
  const signBytes = async (bytes: Uint8Array) => `0x${Buffer.from(ed25519.sign(bytes, seed)).toString('hex')}`
  return {
    family: 'Solana',
    address: base58.encode(ed25519.getPublicKey(seed)),
    sign: (text) => signBytes(Buffer.from(text)),
    signBytes,
  }
}
