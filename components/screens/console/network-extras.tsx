import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge'
import { Linked } from '../../ui/explorer-link'
import { Hint } from '../../ui/hint'
import type { OperationsStatus } from './operations-status'

type Props = Pick<OperationsStatus['networks'][number], 'network' | 'mints' | 'factories'>

const MINTS = { served: ['good', 'Served'], refused: ['bad', 'Refused'], checking: ['plain', 'Checking'] } as const

/** The configured mints of a cluster and the allowed factories of smart wallets, each with its state. Absent without any. */
export function NetworkExtras({ network, mints, factories }: Props) {
  if (mints.length + factories.length === 0) return null
  return (
    <ul aria-label="Mints and factories" className="border-t">
      {mints.map((mint) => {
        const [tone, words] = MINTS[mint.status]
        return (
          <ExtraLine
            key={mint.address}
            name={<>Mint {mint.symbol}</>}
            link={<Linked network={network} address={mint.address} label="mint" />}
            state={<Badge tone={tone}>{words}</Badge>}
            note={mint.status === 'refused' ? `It ${mint.why}: payments in it are refused.` : null}
          />
        )
      })}
      {factories.map(({ address, hasCode }) => (
        <ExtraLine
          key={address}
          name={<Hint text="Wallets that this contract deploys may pay here.">Wallet factory</Hint>}
          link={<Linked network={network} address={address} label="factory" />}
          state={
            <Badge tone={hasCode === null ? 'plain' : hasCode ? 'good' : 'warn'}>
              {hasCode === null ? 'Checking' : hasCode ? 'Allowed' : 'No contract'}
            </Badge>
          }
          note={
            hasCode === false
              ? 'Its wallets cannot pay here before they are deployed. Check the address in EVM_WALLET_FACTORIES, or deploy it here.'
              : null
          }
        />
      ))}
    </ul>
  )
}

type ExtraLineProps = { name: ReactNode; link: ReactNode; state: ReactNode; note: string | null }

function ExtraLine({ name, link, state, note }: ExtraLineProps) {
  return (
    <li className="grid gap-0.5 border-b px-4 py-2 last:border-b-0">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {name}
        {link}
        <span className="ml-auto">{state}</span>
      </span>
      {note ? <span className="text-sm text-soft wrap-anywhere">{note}</span> : null}
    </li>
  )
}
