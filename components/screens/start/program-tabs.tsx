import * as Tabs from '@radix-ui/react-tabs'
import { type ReactNode, useState } from 'react'
import type { NetworkId } from '@/server/x402/networks/networks'
import { programsFor } from '../../client/programs/commands'
import type { Sale } from '../../client/programs/merchants'
import { Snippet } from '../../ui/code/snippet'

/**
 * Programs with the values of a merchant, one in each tab, with the commands of the chosen one. A long program shows its first lines and a
 * button for all. `keyNote` stands above it.
 */
export function ProgramTabs({ keyNote, ...sale }: Sale<NetworkId> & { keyNote: ReactNode }) {
  const programs = programsFor(sale)
  const [chosen, setChosen] = useState('Express')
  const program = programs.find(({ name }) => name === chosen) ?? programs[0]
  return (
    <Tabs.Root value={program?.name ?? ''} onValueChange={setChosen} className="grid min-w-0 grid-cols-1 content-start gap-4">
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
      {program?.install ? <Snippet name="Install" code={program.install} language="shellscript" /> : null}
      {programs.map(({ name, file, code, language }) => (
        <Tabs.Content key={name} value={name} className="grid min-w-0 grid-cols-1 gap-2">
          <p className="text-sm text-soft">{keyNote}</p>
          <Snippet name={file} code={code} language={language} fold="early" />
        </Tabs.Content>
      ))}
      {program?.run ? <Snippet name="Run" code={program.run} language="shellscript" /> : null}
    </Tabs.Root>
  )
}
