import { createRequire } from 'node:module'

/** An ECDSA signature: 64 bytes, and which of the two keys made it. */
type Recoverable = { signature: Uint8Array; recovery: number }

/** What signers and judges need of the curve secp256k1. Each throws on values out of range. */
export type Curve = {
  name: string
  /** Whether the addon does the work. */
  isNative: boolean
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

/** The functions of the package tiny-secp256k1 that we call. */
type WebAssembled = Pick<typeof import('tiny-secp256k1'), 'isPrivate' | 'pointFromScalar' | 'signRecoverable' | 'recover'>

const native = (addon: Addon): Curve => ({
  name: 'libsecp256k1, native',
  isNative: true,
  isKey: (key) => addon.privateKeyVerify(key),
  publicKey: (key) => addon.publicKeyCreate(key, false),
  sign(hash, key) {
    const { signature, recid } = addon.ecdsaSign(hash, key)
    return { signature, recovery: recid }
  },
  recover: (hash, { signature, recovery }) => addon.ecdsaRecover(signature, recovery, hash, false),
})

const portable = (library: WebAssembled): Curve => ({
  name: 'libsecp256k1 in WebAssembly',
  isNative: false,
  isKey: (key) => library.isPrivate(key),
  publicKey: (key) => found(library.pointFromScalar(key, false)),
  sign(hash, key) {
    const { signature, recoveryId } = library.signRecoverable(hash, key)
    return { signature, recovery: recoveryId }
  },
  recover: (hash, { signature, recovery }) => found(library.recover(hash, signature, found(RECOVERIES[recovery]), false)),
})

const RECOVERIES = [0, 1, 2, 3] as const

function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('no public key fits')
  return value
}

const packages = createRequire(import.meta.url)

// Not the package itself: where its addon does not load, that takes a library that is not constant-time, and says nothing.
const bindings = (): Addon => packages('secp256k1/bindings')
const webAssembled = (): WebAssembled => packages('tiny-secp256k1')

/**
 * The curve by the native addon, which recovers five times as fast; where that does not load, by the same library in WebAssembly. Both
 * make the same signatures. Throws if neither loads.
 */
export function openCurve(load: () => Addon = bindings): Curve {
  try {
    return native(load())
  } catch {
    return portable(webAssembled())
  }
}

/** The curve of this process. */
export const curve = openCurve()
