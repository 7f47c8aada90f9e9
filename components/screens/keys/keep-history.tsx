import { keyName } from '@/server/accounts/key-name'
import { noticeFailure } from '../../client/notice-failure'
import { type OwnKey, useKeyActions } from '../../client/own-key'
import { notice } from '../../ui/notice'
import { Switch } from '../../ui/switch'

type Props = { apiKey: Pick<OwnKey, 'id' | 'name' | 'historyEnabled' | 'revokedAt'> }

/** Whether a key keeps a history. Switching it off says what follows, and can be undone. */
export function KeepHistory({ apiKey }: Props) {
  const { configure } = useKeyActions()
  const { id, historyEnabled, revokedAt } = apiKey
  const name = keyName(apiKey)
  function change(on: boolean) {
    configure.mutate(
      { id, historyEnabled: on },
      {
        onError: noticeFailure,
        onSuccess: () =>
          on
            ? notice.success(`${name} keeps history again, from the next payment on.`)
            : notice.undoable(`History is off for ${name}.`, CONSEQUENCE, () => change(true)),
      },
    )
  }
  return (
    <div className="flex items-start justify-between gap-4">
      <span className="grid min-w-0 gap-0.5">
        <label htmlFor={`history ${id}`} className="font-medium">
          Keep history
        </label>
        <span className="text-soft">
          {historyEnabled ? 'When off, new settlements are not recorded.' : `New settlements are not recorded. ${CONSEQUENCE}`}
        </span>
      </span>
      <Switch
        id={`history ${id}`}
        checked={historyEnabled}
        disabled={configure.isPending || revokedAt !== null}
        onChange={change}
      />
    </div>
  )
}

const CONSEQUENCE = 'Its listings show no figures in the catalog, and leave it 90 days after their last listed payment.'
