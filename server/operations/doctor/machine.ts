import { curve, isNative } from '../../chains/evm/curve'
import { type Finding, ok, warning } from './findings'

/** Says which library makes and checks signatures on this machine. */
export function checkCurve(by = curve): Finding {
  const what = 'signatures'
  if (isNative(by)) return ok(what, `by ${by.name}, native`)
  const summary = `by ${by.name}, because the addon of secp256k1 does not load on ${process.platform}-${process.arch}: verify takes more time`
  return warning(what, summary, 'use a platform with the addon (linux-x64), or install a compiler and run npm rebuild secp256k1')
}
