import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { toBase58 } from '../../../encodings'

const MARKER = Buffer.from('ProgramDerivedAddress')

/** The address that a program derives from seeds: the first one off the curve, counted down from 255 as the chain does. */
export function derivedAddress(seeds: readonly Uint8Array[], program: Uint8Array): { address: string; bump: number } {
  for (let bump = 255; bump >= 0; bump--) {
    const parts = Buffer.concat([...seeds, Uint8Array.of(bump), program, MARKER])
    const address = createHash('sha256').update(parts).digest()
    if (!isOnCurve(address)) return { address: toBase58(address), bump }
  }
  throw new Error('no bump leads off the curve: the chance is 1 in 2^256')
}

/** Whether 32 bytes are a point of the curve, as the address of every key is. */
export function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes)
    return true
  } catch {
    // The library throws this way when the point does not exist.
    return false
  }
}
