import * as Tabs from '@radix-ui/react-tabs'
import { type NetworkId, networkRow } from '@/server/x402/networks/networks'
import type { Sale } from '../../client/programs/merchants'
import { Snippet } from '../../ui/code/snippet'
import { CopyLine } from '../../ui/copy-line'
import { programsFor } from './programs'

/** Programs with the values of a merchant, one in each tab. */
export function ProgramTabs(sale: Sale<NetworkId>) {
  const programs = programsFor(sale)
  return (
    <Tabs.Root key={networkRow(sale.network).family} defaultValue="Express" className="grid min-w-0 gap-3">
      <Tabs.List aria-label="Programs" className="fades-right -m-1 flex gap-1 overflow-x-auto p-1">
        {programs.map(({ name }) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="min-h-10 shrink-0 rounded-lg px-2.5 text-sm sm:min-h-9 sm:px-3 sm:text-[0.9375rem] whitespace-nowrap text-soft hover:bg-code data-[state=active]:bg-wash data-[state=active]:font-medium data-[state=active]:text-accent"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {programs.map(({ name, file, install, run, ...program }) => (
        <Tabs.Content key={name} value={name} className="grid min-w-0 gap-3 max-sm:[&_pre]:max-h-96">
          {install ? <CopyLine name="Install" text={install} /> : null}
          <Snippet {...program} name={file} />
          {run ? <CopyLine name="Run" text={run} /> : null}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}
