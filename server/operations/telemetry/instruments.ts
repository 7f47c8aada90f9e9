import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** From a database round trip to a deadline, in seconds. */
const USUAL = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25]
/** From a signature to the last confirmation, in seconds. */
const STEPS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 900]

/** Counters of this process. No label names a tenant, a payer, a key or an RPC URL. */
export function createInstruments(registry: Registry) {
  const registers = [registry]
  return {
    requests: new Histogram({
      name: 'quittance_http_request_duration_seconds',
      help: 'Time to answer a request, by route pattern, method and class of status (499: the client hung up).',
      labelNames: ['route', 'method', 'status'],
      buckets: USUAL,
      registers,
    }),
    answering: new Gauge({
      name: 'quittance_http_requests_in_flight',
      help: 'Requests in flight.',
      registers,
    }),
    settlements: new Counter({
      name: 'quittance_settlements_total',
      help: 'Settlements that reached an outcome by a statement of this process.',
      labelNames: ['network', 'tier', 'outcome'],
      registers,
    }),
    steps: new Histogram({
      name: 'quittance_settlement_step_duration_seconds',
      help: 'Time that settlements spent in a state.',
      labelNames: ['network', 'tier', 'from', 'to'],
      buckets: STEPS,
      registers,
    }),
    badJudgements: new Counter({
      name: 'quittance_failed_judgements_total',
      help: 'Settle requests that failed their judgement; nothing was sent for them.',
      labelNames: ['network', 'tier', 'reason'],
      registers,
    }),
    rpc: new Histogram({
      name: 'quittance_rpc_request_duration_seconds',
      help: 'Time until an endpoint answered a call or failed, by its position in its variable.',
      labelNames: ['network', 'use', 'endpoint', 'method'],
      buckets: USUAL,
      registers,
    }),
    rpcErrors: new Counter({
      name: 'quittance_rpc_errors_total',
      help: 'Calls that an endpoint did not answer, or answered with an error.',
      labelNames: ['network', 'use', 'endpoint', 'method'],
      registers,
    }),
    kyt: new Histogram({
      name: 'quittance_kyt_request_duration_seconds',
      help: 'Time until the screening service returned a verdict, or failed.',
      labelNames: ['class', 'outcome'],
      buckets: USUAL,
      registers,
    }),
    build: new Gauge({
      name: 'quittance_build_info',
      help: 'The running version.',
      labelNames: ['version', 'node'],
      registers,
    }),
  }
}

/** Read at each scrape. All processes export the same ledger metrics: take the maximum and not the sum. */
export function createGauges(registry: Registry) {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge<L>({ name, help, labelNames: [...labelNames], registers })
  return {
    errors: gauge('quittance_scrape_errors', 'Parts that could not be read for this scrape, 0 or 1 each.', ['part']),
    queued: gauge('quittance_queue_settlements', 'Claims that wait to be signed.', ['network']),
    underWay: gauge('quittance_in_flight_settlements', 'Signed settlements that no block holds yet.', ['network']),
    oldest: gauge('quittance_oldest_settlement_age_seconds', 'Age of the oldest settlement in flight.', ['network']),
    nonce: gauge('quittance_lane_next_nonce', 'The next nonce of a lane.', ['network', 'class', 'signer']),
    gap: gauge('quittance_lane_unconfirmed_nonces', 'Nonces of a lane that no block holds yet.', ['network', 'class', 'signer']),
    held: gauge('quittance_lane_leased', 'Whether a process holds the lease of a lane and can send with it.', [
      'network',
      'class',
      'signer',
    ]),
    quarantined: gauge('quittance_lane_quarantined', 'Whether a lane is quarantined until an operator releases it.', [
      'network',
      'class',
      'signer',
    ]),
    status: gauge('quittance_sender_status', 'The status of a signer in this process; 1 for the current one.', [
      'network',
      'class',
      'signer',
      'status',
    ]),
    balance: gauge('quittance_signer_balance_coins', 'The gas balance of a signer, in ETH or SOL.', [
      'network',
      'class',
      'signer',
    ]),
    gas: gauge('quittance_gas_spent_today_coins', 'What gas has cost in the UTC day, in ETH or SOL.', ['network', 'class']),
    outboxLag: gauge('quittance_outbox_lag_seconds', 'How long the oldest due effect has waited.', ['kind']),
    channels: gauge(
      'quittance_channels',
      'Channels with unclaimed vouchers: all, those whose payers withdraw, those that cannot be claimed.',
      ['network', 'state'],
    ),
    dirtyDays: gauge('quittance_rollup_dirty_days', 'Completed days without a rollup, by tenant and day, at most 10,000.', []),
    rollupLag: gauge('quittance_rollup_lag_seconds', 'Time since the end of the oldest day without a rollup.', []),
    clock: gauge('quittance_database_clock_offset_seconds', "The database's clock minus ours.", []),
    screening: gauge('quittance_kyt_available', 'Whether screening answers; also 1 where it is switched off.', ['class']),
  }
}

export type Instruments = ReturnType<typeof createInstruments>
export type Gauges = ReturnType<typeof createGauges>
