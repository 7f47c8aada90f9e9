import { expect, test } from 'vitest'
import type { Row } from './scenario'
import { reportOf } from './tables'

const row = (facilitator: string, round: number, perSecond: number): Row => ({
  route: 'settle',
  parallel: 32,
  facilitator,
  round,
  sent: 96,
  good: 96,
  perSecond,
  p50: 1,
  p95: 2.4,
  p99: 3,
  cpuEach: 2.86,
  rpcEach: 0.2,
  waitingEach: 0,
  callsEach: 12.34,
  gasEach: 51_356,
  perTransaction: 14.8,
})

test('a report has the first round by itself, and medians and ratios of the later rounds', () => {
  const rows = [row('ours', 0, 10), row('official', 0, 20)]
  // The order of later rounds changes, the order of the table does not.
  rows.push(row('official', 1, 10), row('ours', 1, 40), row('ours', 2, 90), row('official', 2, 30))
  rows.push(row('official', 3, 400), row('ours', 3, 800))
  const report = reportOf({
    scenario: { shape: 'users', blockTimeSeconds: 0, lanes: 1, rounds: 3 },
    blockWaitMs: 5.2,
    rows,
    profiles: [],
    failures: [{ facilitator: 'ours', route: 'settle', parallel: 32, round: 1, reasons: { late: 2 } }],
    footprints: [{ facilitator: 'ours', rssMb: 250.4, idleCpuMs: 4 }],
  })
  const lines = report.split('\n').filter((line) => /^\| settle|^##|^-/.test(line))
  expect(lines.map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    '## 64 payers, 16 keys, 1 lane, a block per transaction',
    '| settle | 32 | ours | 10.0 | 0.50 | 1 | 2 | 3 | 2.9 | 12.3 | 51356 | 14.8 |',
    '| settle | 32 | official | 20.0 | | 1 | 2 | 3 | 2.9 | 12.3 | 51356 | 14.8 |',
    '| settle | 32 | ours | 90.0 | 3.00 | 1 | 2 | 3 | 2.9 | 12.3 | 51356 | 14.8 |',
    '| settle | 32 | official | 30.0 | | 1 | 2 | 3 | 2.9 | 12.3 | 51356 | 14.8 |',
    '- ours, settle, 32 in parallel, round 2: 2 × late',
  ])
  expect(report).toContain('| ours        | 250                   | 4.0               |')
})
