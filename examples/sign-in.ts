import { createSiweMessage, generateSiweNonce } from 'viem/siwe'
import { jsonOf } from './answer'
import type { Wallet } from './wallet'

/** The headers that identify the wallet. */
export type Credential = Record<string, string>

const statement = 'Show what my agent bought and sold.'
const GOOD_FOR_MS = 300_000

/** A signed message for one service. It expires in five minutes and is valid for every request until then. */
export async function signIn(wallet: Wallet, serviceUrl: string): Promise<Credential> {
  const text = wallet.account === 'Ethereum' ? ethereumText(wallet, serviceUrl) : solanaText(wallet, serviceUrl)
  return { 'x-siwe-message': Buffer.from(text).toString('base64'), 'x-siwe-signature': await wallet.sign(text) }
}

/** Exchanges a signed message for a token that lasts 15 minutes. */
export async function openSession(serviceUrl: string, signed: Credential): Promise<Credential> {
  const response = await fetch(`${serviceUrl}/api/v1/auth/siwe`, { method: 'POST', headers: signed })
  const { token } = await jsonOf<{ token: string }>(response)
  return { authorization: `Bearer ${token}` }
}

function ethereumText({ address, chainId }: Extract<Wallet, { account: 'Ethereum' }>, serviceUrl: string): string {
  const { domain, issuedAt, expirationTime } = terms(serviceUrl)
  const nonce = generateSiweNonce()
  return createSiweMessage({
    domain,
    address,
    statement,
    uri: serviceUrl,
    version: '1',
    chainId,
    nonce,
    issuedAt,
    expirationTime,
  })
}

// Solana wallets sign the same text (CAIP-122) with "Solana" in its first line.
function solanaText({ address, chainId }: Extract<Wallet, { account: 'Solana' }>, serviceUrl: string): string {
  const { domain, issuedAt, expirationTime } = terms(serviceUrl)
  return [
    `${domain} wants you to sign in with your Solana account:`,
    address,
    '',
    statement,
    '',
    `URI: ${serviceUrl}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${generateSiweNonce()}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expirationTime.toISOString()}`,
  ].join('\n')
}

function terms(serviceUrl: string) {
  const issuedAt = new Date()
  return { domain: new URL(serviceUrl).host, issuedAt, expirationTime: new Date(issuedAt.getTime() + GOOD_FOR_MS) }
}
