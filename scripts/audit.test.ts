import { expect, test } from 'vitest'
import { readAudit, withBundled } from './audit.mjs'

const report = (vulnerabilities: object) =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: { vulnerabilities: {} } })

test('packages that the build takes in are audited like those that stay installed', () => {
  const manifest = { name: 'ours', dependencies: { native: '1.0.0' }, devDependencies: { page: '2.0.0', tool: '3.0.0' } }
  expect(withBundled(manifest, new Set(['page', 'native']))).toEqual({
    name: 'ours',
    dependencies: { native: '1.0.0', page: '2.0.0' },
    devDependencies: { tool: '3.0.0' },
  })
})

test('a high or critical vulnerability is reported with its package, and lower ones are ignored', () => {
  const found = readAudit(
    report({
      parser: { name: 'parser', severity: 'critical', range: '<2.0.1', via: [{ title: 'runs what it reads' }] },
      server: { name: 'server', severity: 'high', range: '*', via: ['parser'] },
      colours: { name: 'colours', severity: 'moderate', range: '<9', via: [{ title: 'slow' }] },
    }),
  )
  expect(found).toEqual({
    answered: true,
    grave: ['critical: parser <2.0.1 (runs what it reads)', 'high: server * (through parser)'],
  })
})

test('a report without vulnerabilities is an answer', () => {
  expect(readAudit(report({}))).toEqual({ answered: true, grave: [] })
})

test.each([
  ['knows no audits', '{"message":"405 Method Not Allowed","statusCode":405,"error":{"summary":""}}'],
  ['is not there', '{"error":{"code":"ENOTFOUND"}}'],
  ['says nothing', ''],
  ['says something else', '<html>'],
])('a registry that %s has not answered', (_, text) => {
  expect(readAudit(text)).toEqual({ answered: false, grave: [] })
})
