import { amountOf, type Entry, explorerOf, shortened, titleOf } from './entry'

/** A page of settlements; null while it is loading. */
export function SettlementTable({ entries }: { entries: Entry[] | null }) {
  if (entries?.length === 0) {
    return (
      <div className="card empty">
        <h3>Nothing was settled yet</h3>
        <p className="muted">
          The first payment through your facilitator URL appears here. <a href="/home#start">Charge for a route</a>
        </p>
      </div>
    )
  }
  return (
    <div className="table-frame">
      <table className="settlements" aria-busy={entries === null}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="number">
              USDC
            </th>
            <th scope="col">Network</th>
            <th scope="col">Payer</th>
            <th scope="col">Resource</th>
            <th scope="col">Transaction</th>
          </tr>
        </thead>
        <tbody>{entries === null ? <Skeleton /> : entries.map((entry) => <Row key={keyOf(entry)} entry={entry} />)}</tbody>
      </table>
    </div>
  )
}

const keyOf = ({ created_at, tx_hash, payer, resource }: Entry) => [created_at, tx_hash, payer, resource].join(' ')

function Row({ entry }: { entry: Entry }) {
  const explorer = explorerOf(entry)
  return (
    <tr>
      <td>
        <time dateTime={entry.created_at}>{new Date(entry.created_at).toLocaleString()}</time>
      </td>
      <td>
        <span className={entry.success ? 'tag live' : 'tag failed'}>{entry.success ? 'settled' : 'failed'}</span>
        {entry.error_reason ? <code className="reason">{entry.error_reason}</code> : null}
      </td>
      <td className="number">{amountOf(entry.payer_amount)}</td>
      <td>{titleOf(entry.network)}</td>
      <td title={entry.payer}>
        {entry.payer ? <code>{shortened(entry.payer)}</code> : '–'}
        {(entry.agents ?? []).map(({ token_id, name, url }) => (
          <a className="agent" key={token_id} href={url} rel="noreferrer">
            {name ?? `agent ${token_id}`}
          </a>
        ))}
      </td>
      <td className="resource">{entry.resource || '–'}</td>
      <td title={entry.tx_hash}>
        {explorer ? (
          <a href={explorer} rel="noreferrer">
            {shortened(entry.tx_hash)}
          </a>
        ) : (
          shortened(entry.tx_hash) || '–'
        )}
      </td>
    </tr>
  )
}

const LINES = ['a', 'b', 'c', 'd', 'e', 'f']

function Skeleton() {
  return LINES.map((line) => (
    <tr key={line} className="skeleton">
      <td colSpan={7}>
        <span />
      </td>
    </tr>
  ))
}
