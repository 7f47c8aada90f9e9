import { isSignedBy } from '../x402/signatures'

// The envelope of Solana's off-chain messages: hardware wallets such as a Ledger sign a text only inside of it. Its versions differ
// between wallets, so it is named and not accepted.
const DOMAIN = Buffer.from('\xffsolana offchain', 'latin1')
// 15 of its 16 bytes: the next character of base64 depends on the version.
const ENCODED = DOMAIN.subarray(0, 15).toString('base64')
const FORMATS = [0, 1, 2]

/** What to tell the owner of a wallet that signs envelopes. */
export const ENVELOPED =
  'is of a text in the envelope of Solana off-chain messages, which a Ledger puts around it; it is not accepted here; sign with a wallet whose key signs the plain text'

/** Whether base64, in either alphabet, begins with an envelope. */
export function isEnvelope(encoded: string): boolean {
  return encoded.trimStart().replaceAll('_', '/').startsWith(ENCODED)
}

/** Whether the key signed this text inside an envelope, as the specification, the Solana CLI or version 1 writes it. */
export function signedInEnvelope(key: Uint8Array, signature: Uint8Array, text: Uint8Array, host: string): boolean {
  return envelopesOf(key, text, host).some((envelope) => isSignedBy(key, signature, envelope))
}

function envelopesOf(key: Uint8Array, text: Uint8Array, host: string): Uint8Array[] {
  const length = Buffer.of(text.length & 255, text.length >> 8)
  const application = Buffer.alloc(32)
  application.write(host)
  const formatted = FORMATS.flatMap((format) => [
    Buffer.concat([DOMAIN, Buffer.of(0, format), length, text]),
    ...[Buffer.alloc(32), application].map((app) =>
      Buffer.concat([DOMAIN, Buffer.of(0), app, Buffer.of(format, 1), key, length, text]),
    ),
  ])
  return [...formatted, Buffer.concat([DOMAIN, Buffer.of(1, 1), key, text])]
}
