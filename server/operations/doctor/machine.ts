import { curve } from '../../chains/evm/curve'
import { type Finding, ok, warning } from './findings'

/** Says which library makes and checks signatures on this machine. */
export function checkCurve({ isNative, name } = curve): Finding {
  const what = 'signatures'
  if (isNative) return ok(what, `by ${name}`)
  const summary = `by ${name}, because the addon of secp256k1 does not load on ${process.platform}-${process.arch}: verify takes more time`
  return warning(what, summary, 'use a platform with the addon (linux-x64), or install a compiler and run npm rebuild secp256k1')
}
