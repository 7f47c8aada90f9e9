import { expect, test } from 'vitest'
import { cpuMsIn, rssBytesIn } from './proc'

const stat = (name: string) =>
  `9076 (${name}) S 9068 9068 3851 0 -1 4194304 103 0 0 0 150 30 7 3 20 0 12 0 63741 3133440 417 18446744073709551615 1 1 0`

test('CPU is user and system time with that of ended children, in hundredths of a second', () => {
  expect(cpuMsIn(stat('node'))).toBe(1_900)
  expect(cpuMsIn(stat('tokio (worker) 1 2'))).toBe(1_900)
})

test('a text without CPU times is an error', () => {
  expect(() => cpuMsIn('')).toThrow('no CPU times')
})

test('memory is what is resident, and nothing once a process has ended', () => {
  expect(rssBytesIn('Name:\tnode\nVmPeak:\t  999 kB\nVmRSS:\t  284512 kB\nThreads:\t11\n')).toBe(284_512 * 1_024)
  expect(rssBytesIn('Name:\tnode\nState:\tZ (zombie)\n')).toBe(0)
})
