'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { networkIds } from '@/server/x402/networks'
import { useTRPC } from '../data/trpc'
import { titleOf } from '../settlements/explorer'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { notice } from '../ui/notice'
import { Panel } from '../ui/panel'
import { Switch } from '../ui/switch'
import type { AgentBalance } from './use-balance'

/** The settings of a wallet's agent: history and networks. */
export function AgentSettings({ balance: { historyEnabled, allowedNetworks, hasBought } }: { balance: AgentBalance }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const configure = useMutation(
    trpc.agent.configure.mutationOptions({
      onError: ({ message }) => notice.error(message),
      onSuccess: () => notice.success('Applies from the next payment'),
      onSettled: () => queries.invalidateQueries(trpc.agent.balance.pathFilter()),
    }),
  )
  const standing = allowedNetworks.length > 0 ? allowedNetworks : networkIds
  const [chosen, choose] = useState<readonly string[]>(standing)
  const allowed = networkIds.filter((id) => chosen.includes(id))
  const changed = allowed.length !== standing.length || allowed.some((id) => !standing.includes(id))
  // All is stored as none, so that future networks are included.
  const save = () => configure.mutate({ allowedNetworks: allowed.length === networkIds.length ? [] : allowed })
  return (
    <Panel title="Settings">
      <div className="grid gap-4 p-4">
        <label htmlFor="agent history" className="flex items-center justify-between gap-4">
          <span className="grid">
            Keep history
            <span className="text-[0.8125rem] text-soft">When off, new settlements appear in no list, figure or catalog.</span>
          </span>
          <Switch
            id="agent history"
            checked={historyEnabled}
            disabled={configure.isPending || !hasBought}
            onChange={(on) => configure.mutate({ historyEnabled: on })}
          />
        </label>
        <fieldset className="m-0 grid gap-x-4 border-0 p-0 sm:grid-cols-2">
          <legend className="p-0 pb-1">Networks</legend>
          {networkIds.map((id) => (
            <label key={id} className="flex min-h-8 items-center gap-2 max-sm:min-h-10">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ target }) => choose(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
              />
              {titleOf(id)}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className={cx('text-[0.8125rem]', allowed.length === 0 ? 'text-bad' : 'text-soft')}>
            {allowed.length === 0 ? 'Select at least one.' : 'Applies to all your keys.'}
          </span>
          <Button
            size="small"
            look={changed ? 'primary' : 'plain'}
            disabled={!changed || allowed.length === 0 || configure.isPending || !hasBought}
            onClick={save}
          >
            Save networks
          </Button>
        </div>
      </div>
    </Panel>
  )
}
