import { NOTE } from './look'

/** Tells visitors that names and descriptions are not ours. */
export function Unchecked() {
  return <p className={NOTE}>Names and descriptions come from merchants and payers. We do not check them.</p>
}
