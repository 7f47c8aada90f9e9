import { expect, test } from 'vitest'
import { type RefusalMeaning, refusals } from '../../../server/http/refusals'
import { reasons } from '../../../server/x402/reasons/reasons'
import { evmDifferences, evmSettleDifferences, svmDifferences } from './differences'
import { cellsOf, rowsBelow } from './differences-page'
import { tableOf } from './explaining'
import { settleOnly } from './settle-only'

test('docs/differences.md lists exactly the differences that the comparison allows', () => {
  const verify = [...tableOf('EVM', evmDifferences), ...tableOf('Solana', svmDifferences)]
  expect(rowsBelow('Verify')).toEqual(verify.map(cellsOf))
  expect(rowsBelow('Settle')).toEqual(tableOf('EVM', evmSettleDifferences).map(cellsOf))
})

test('docs/differences.md lists the reasons that only settle answers', () => {
  // Verify also answers one of them, as a reason.
  const refused = Object.entries<RefusalMeaning>(refusals).flatMap(([reason, { only, cause }]) =>
    only === 'settle' && !Object.hasOwn(reasons, reason) ? [[reason, cause]] : [],
  )
  const rows = [...Object.entries(settleOnly), ...refused].map(([reason, why]) => `| \`${reason}\` | ${why} |`)
  expect(rowsBelow('Verify and settle')).toEqual(rows.map(cellsOf))
})
