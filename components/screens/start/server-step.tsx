import type { ReactNode } from 'react'
import { type NetworkId, networkRow } from '@/server/x402/networks/networks'
import type { Sale } from '../../client/programs/merchants'
import { ChoiceField, TextField } from '../../ui/fields'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'

// The texts of all programs.
const ProgramTabs = later(
  () => import('./program-tabs').then((loaded) => loaded.ProgramTabs),
  <Skeleton className="h-[45.6rem] sm:h-[41.5rem]" />,
)

const ADDRESSES = {
  evm: {
    pattern: /^0x[0-9a-fA-F]{40}$/,
    placeholder: '0xYourAddress',
    problem: 'Enter an Ethereum address: 0x and 40 hex digits.',
  },
  svm: {
    pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    placeholder: 'YourSolanaAddress',
    problem: 'Enter a Solana address: 32 to 44 letters and digits.',
  },
} as const

type Props = Sale<NetworkId> & {
  /** Which key the program uses. */
  keyNote: ReactNode
  /** The networks of the environment that keys can use. */
  offered: readonly NetworkId[]
  /** Null where the address is fixed: a key of a wallet pays only that wallet. */
  onPayTo: ((address: string) => void) | null
  onNetwork: (network: NetworkId) => void
}

/** The address and the network of a merchant, in a program that charges for a route. */
export function ServerStep({ url, keyNote, payTo, network, offered, onPayTo, onNetwork }: Props) {
  const { pattern, placeholder, problem } = ADDRESSES[networkRow(network).family]
  const { testnet } = networkRow(network)
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <div className="grid content-start gap-4 sm:grid-cols-[minmax(0,1fr)_16rem] lg:grid-cols-[minmax(0,1fr)_20rem]">
        <TextField
          label="Your wallet address"
          value={payTo}
          readOnly={onPayTo === null}
          onChange={({ target }) => onPayTo?.(target.value.trim())}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          error={payTo === '' || pattern.test(payTo) ? undefined : problem}
          hint={
            onPayTo === null
              ? 'Your keys pay this wallet, and no other. We never hold your money.'
              : 'Payments go straight to it. We never hold your money.'
          }
        />
        <ChoiceField
          label="Network"
          value={network}
          options={offered.map((id) => [id, networkRow(id).title] as const)}
          onChange={({ target }) => onNetwork(offered.find((id) => id === target.value) ?? network)}
          hint={!testnet ? 'Real money' : onPayTo !== null ? <SolanaTests /> : undefined}
        />
      </div>
      <ProgramTabs keyNote={keyNote} url={url} payTo={payTo || placeholder} network={network} />
      <p className="text-sm text-soft">
        {onPayTo === null ? (
          <>
            Your programs can make and revoke keys at <code>/api/v1/keys</code>: <a href="/docs/merchants">see how</a>.
          </>
        ) : (
          <>
            Your programs can read settlements from <code>/api/me</code>: <a href="/docs/merchants">see how</a>.
          </>
        )}
      </p>
    </div>
  )
}

function SolanaTests() {
  return (
    <>
      Solana devnet works in the <a href="/docs/networks">sandbox</a>.
    </>
  )
}
