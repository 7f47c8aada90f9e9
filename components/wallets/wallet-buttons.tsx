import { Button } from '../ui/button'
import { Problem, Skeleton } from '../ui/panel'
import type { SigningWallet } from './signing-wallet'

type Props<Wallet> = {
  wallets: Wallet[] | null
  problem: Error | null
  disabled: boolean
  onChoose: (wallet: Wallet) => void
}

const FAMILIES = { evm: 'Ethereum', svm: 'Solana' } as const

/** A button for each wallet of this browser, or a hint to install one. */
export function WalletButtons<Wallet extends SigningWallet>({ wallets, problem, disabled, onChoose }: Props<Wallet>) {
  if (problem) return <Problem error={{ message: 'Wallet support did not load. Reload the page.' }} />
  if (!wallets) return <Skeleton className="h-10 w-full" />
  if (wallets.length === 0)
    return <p className="m-0 text-[0.875rem]">No wallet found in this browser. Install one, then reload the page.</p>
  return (
    <ul className="grid w-full gap-2">
      {wallets.map((wallet) => (
        <li key={`${wallet.family} ${wallet.name}`}>
          <Button onClick={() => onChoose(wallet)} disabled={disabled} className="w-full">
            {/* biome-ignore lint/performance/noImgElement: a data URL of the wallet itself */}
            {wallet.icon ? <img src={wallet.icon} alt="" className="size-5 rounded" /> : null}
            {wallet.name}
            <span className="ml-auto text-[0.8125rem] text-soft">{FAMILIES[wallet.family]}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
