import { describe, expect, test } from 'vitest'
import { changeText } from './change-log'

describe('a change in words', () => {
  test.each([
    ['plan', 'free', 'growth', 'Plan: Free → Growth'],
    ['name', '', 'Rain', 'Name: none → “Rain”'],
    ['rps', null, '7', "Requests per second: the plan's → 7"],
    ['maxAmount', '50000', null, 'Maximum per payment: 0.05 USDC → no limit'],
    ['allowedNetworks', [], ['eip155:8453'], 'Networks: all → Base'],
    ['payToAllow', ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'], [], 'Recipients (payTo): 0x2096…287C → all'],
    ['historyEnabled', 'true', 'false', 'History: on → off'],
    ['waitUntil', null, 'finalized', 'Respond to settle: as usual → in a finalized block'],
    ['revokedAt', null, '2026-11-27T07:00:00+00:00', 'Revoked'],
    ['revokedAt', '2026-11-27T07:00:00+00:00', null, 'Restored'],
    ['secret', null, 'qt_abc', 'New secret qt_abc…'],
    ['anything', 'a', 'b', 'anything changed'],
  ])('%s', (field, from, to, text) => expect(changeText(field, from, to)).toBe(text))
})
