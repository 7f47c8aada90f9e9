import { generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/** The lines of a sign-in message by their names; one that is null is left out. */
export type Lines = Partial<Record<keyof typeof NAMES, string | null>> & {
  head?: string
  statement?: string | null
  /** After the last line. */
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

/** Someone who can sign in: an address and what it signs with. The signature is as wallets give it to a website. */
export type SigningWallet = { family: 'Ethereum' | 'Solana'; address: string; sign: (text: string) => Promise<string> }

/** The origin for which messages are signed unless told. */
export const ORIGIN = 'http://localhost:3000'

/** A message as wallets sign it, good for ten minutes from now unless its lines say something else. */
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

/** The two headers of a signed message. */
export async function siweHeaders(wallet: SigningWallet, lines: Lines = {}, now = new Date()): Promise<Record<string, string>> {
  return headersOf(wallet, signInText(wallet, lines, now))
}

/** The two headers of any text that a wallet signs. */
export async function headersOf(wallet: Pick<SigningWallet, 'sign'>, text: string): Promise<Record<string, string>> {
  return { 'x-siwe-message': Buffer.from(text).toString('base64'), 'x-siwe-signature': await wallet.sign(text) }
}

/** An EVM wallet that one key signs for; a new key unless told. */
export function evmWallet(account: LocalAccount = privateKeyToAccount(generatePrivateKey())): SigningWallet {
  return { family: 'Ethereum', address: account.address, sign: (message) => account.signMessage({ message }) }
}

/** A new Solana wallet. */
export function solanaWallet(): SigningWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    family: 'Solana',
    address: base58.encode(Buffer.from(x, 'base64url')),
    sign: async (text) => `0x${sign(null, Buffer.from(text), privateKey).toString('hex')}`,
  }
}
