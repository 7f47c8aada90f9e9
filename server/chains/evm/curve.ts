import { createRequire } from 'node:module'
import { secp256k1 as portable } from '@noble/curves/secp256k1'

/** An ECDSA signature: 64 bytes, and which of the two keys made it. */
type Recoverable = { signature: Uint8Array; recovery: number }

/** What signers and judges need of the curve secp256k1. Each throws on values out of range. */
export type Curve = {
  name: string
  isKey(key: Uint8Array): boolean
  /** Uncompressed. */
  publicKey(key: Uint8Array): Uint8Array
  /** Deterministic (RFC 6979), with the lower s. */
  sign(hash: Uint8Array, key: Uint8Array): Recoverable
  /** The uncompressed public key whose signature this is. */
  recover(hash: Uint8Array, signed: Recoverable): Uint8Array
}

/** The functions of the package secp256k1 that we call. */
type Addon = Pick<typeof import('secp256k1'), 'privateKeyVerify' | 'publicKeyCreate' | 'ecdsaSign' | 'ecdsaRecover'>

const audited: Curve = {
  name: '@noble/curves',
  isKey: (key) => portable.utils.isValidPrivateKey(key),
  publicKey: (key) => portable.getPublicKey(key, false),
  sign(hash, key) {
    const signed = portable.sign(hash, key)
    return { signature: signed.toCompactRawBytes(), recovery: signed.recovery }
  },
  recover: (hash, { signature, recovery }) =>
    portable.Signature.fromCompact(signature).addRecoveryBit(recovery).recoverPublicKey(hash).toRawBytes(false),
}

const native = (addon: Addon): Curve => ({
  name: 'libsecp256k1',
  isKey: (key) => addon.privateKeyVerify(key),
  publicKey: (key) => addon.publicKeyCreate(key, false),
  sign(hash, key) {
    const { signature, recid } = addon.ecdsaSign(hash, key)
    return { signature, recovery: recid }
  },
  recover: (hash, { signature, recovery }) => addon.ecdsaRecover(signature, recovery, hash, false),
})

// Not the package itself: where its addon does not load, that takes a library that is not constant-time, and says nothing.
const bindings = (): Addon => createRequire(import.meta.url)('secp256k1/bindings')

/**
 * The curve by the native addon, which recovers twenty times as fast; by an audited library in JavaScript where that does not load. Both
 * make the same signatures.
 */
export function openCurve(load: () => Addon = bindings): Curve {
  try {
    return native(load())
  } catch {
    return audited
  }
}

/** Whether the addon does the work. */
export const isNative = (one: Curve) => one.name !== audited.name

/** The curve of this process. */
export const curve = openCurve()
