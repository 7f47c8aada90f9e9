'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { environmentOf, environments, type NetworkId, networkTitle, prefixNetworks } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { noticeFailure } from '../../client/notice-failure'
import { useTRPC } from '../../client/trpc'
import { notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import { Switch } from '../../ui/switch'
import type { AgentBalance } from './use-balance'

const served = prefixNetworks.v1

/** The settings of a wallet's agent: history and networks. Each change is saved at once. */
export function AgentSettings({ balance }: { balance: AgentBalance }) {
  const { environment, historyEnabled, allowedNetworks, hasBought } = balance
  const history = useConfigure()
  const networks = useConfigure()
  // Until it is saved, what was chosen last.
  const stored = (networks.isPending ? networks.variables.allowedNetworks : undefined) ?? allowedNetworks
  const chosen = served.filter((id) => stored.length === 0 || stored.includes(id))
  const keepsHistory = (history.isPending ? history.variables.historyEnabled : undefined) ?? historyEnabled
  function change(id: NetworkId, on: boolean) {
    const next = served.filter((one) => (one === id ? on : chosen.includes(one)))
    // All is stored as none, so that future networks are included.
    networks.mutate({ allowedNetworks: next.length === served.length ? [] : next })
  }
  return (
    <Panel title="Settings" action={<span className="text-sm text-soft">For all your keys</span>}>
      <div className="grid gap-4 p-4">
        <label htmlFor="agent history" className="flex items-center justify-between gap-4">
          <span className="grid">
            Keep history
            <span className="text-sm text-soft">When off, new settlements are not recorded.</span>
          </span>
          <Switch
            id="agent history"
            checked={keepsHistory}
            disabled={!hasBought}
            onChange={(on) => history.mutate({ historyEnabled: on })}
          />
        </label>
        <fieldset className="grid min-w-0 gap-2">
          <legend>Networks</legend>
          <p className="text-sm text-soft">
            Your keys settle on these. Test credits pay on Test networks, Live credits on Live networks.
          </p>
          <div className="grid grid-cols-2 gap-x-4">
            {environments
              .toSorted((one, other) => Number(other === environment) - Number(one === environment))
              .map((of) => (
                <fieldset key={of} className="grid min-w-0 content-start">
                  <legend className="text-sm text-soft">{environmentTitles[of]}</legend>
                  {served
                    .filter((id) => environmentOf(id) === of)
                    .map((id) => (
                      <label key={id} className="flex min-h-8 items-center gap-2 max-sm:min-h-10">
                        <input
                          type="checkbox"
                          checked={chosen.includes(id)}
                          // One stays selected: none would be stored as all.
                          disabled={!hasBought || (chosen.length === 1 && chosen.includes(id))}
                          onChange={({ target }) => change(id, target.checked)}
                        />
                        {networkTitle(id)}
                      </label>
                    ))}
                </fieldset>
              ))}
          </div>
          <p className="text-sm text-soft">
            {chosen.length === 1 ? 'At least one network stays selected. ' : ''}Solana devnet needs no key: use the URL under{' '}
            <code>/sandbox</code>.
          </p>
        </fieldset>
      </div>
    </Panel>
  )
}

/** Changes settings one after the other; pending until the screen has the result. */
function useConfigure() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation(
    trpc.agent.configure.mutationOptions({
      scope: { id: 'agent settings' },
      onError: noticeFailure,
      onSuccess: () => notice.success('Saved. Applies from the next payment.'),
      onSettled: () => queries.invalidateQueries(trpc.agent.balance.pathFilter()),
    }),
  )
}
