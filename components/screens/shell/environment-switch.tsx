'use client'

import { Server } from 'lucide-react'
import { environments } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { useEnvironment } from '../../client/use-environment'
import { cx } from '../../ui/class-names'
import { useCommands } from '../../ui/commands'
import { Segments } from '../../ui/segments'

const OPTIONS = environments.map((name) => [name, environmentTitles[name]] as const)

/** Switches all screens between real money and test money. Neither is selected while the environment is unknown. */
export function EnvironmentSwitch({ className }: { className: string }) {
  const { environment, setEnvironment } = useEnvironment()
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  useCommands([{ title: `Switch to ${environmentTitles[other]}`, key: 'm', icon: Server, run: () => setEnvironment(other) }])
  return (
    <Segments
      label="Live or test"
      value={environment}
      options={OPTIONS}
      onChange={setEnvironment}
      className={cx(className, environment === 'testnet' && '**:aria-pressed:bg-warn-wash **:aria-pressed:text-warn')}
    />
  )
}
