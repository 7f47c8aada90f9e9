'use client'

import type { Environment } from '@/server/x402/environments'
import { useCommands } from '../shell/commands'
import { Server } from '../ui/icons'
import { Segments } from '../ui/segments'

const OPTIONS = [
  ['mainnet', 'Mainnet'],
  ['testnet', 'Testnet'],
] as const

/** Switches the figures of a screen between mainnets and testnets. */
export function EnvironmentSwitch({ value, onChange }: { value: Environment; onChange: (value: Environment) => void }) {
  const other = value === 'mainnet' ? 'testnet' : 'mainnet'
  useCommands([{ title: `Switch to ${other}s`, key: 'm', icon: Server, run: () => onChange(other) }])
  return <Segments label="Mainnet or testnet" value={value} options={OPTIONS} onChange={onChange} />
}
