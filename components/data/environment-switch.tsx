import type { Environment } from '@/server/x402/environments'
import { Segments } from '../ui/segments'

const OPTIONS = [
  ['mainnet', 'Mainnet'],
  ['testnet', 'Testnet'],
] as const

/** Switches the figures of a screen between mainnets and testnets. */
export function EnvironmentSwitch({ value, onChange }: { value: Environment; onChange: (value: Environment) => void }) {
  return <Segments label="Mainnet or testnet" value={value} options={OPTIONS} onChange={onChange} />
}
