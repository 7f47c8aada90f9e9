import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTarget } from '../../server/http/request-target'
import { ROOT } from '../support/source-files'
import { at, compose } from './compose'

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

describe('the load balancer', () => {
  test('mounts an existing configuration, sets one proxy hop, and logs no path', () => {
    const [mounted = ''] = [at(compose, 'services', 'balancer', 'volumes') ?? []].flat().map(String)
    const file = mounted.split(':')[0] ?? ''
    const config = textOf(file)
    expect(at(compose, 'services', 'service', 'environment', 'TRUSTED_PROXY_HOPS')).toContain('TRUSTED_PROXY_HOPS:-1')
    expect(config).toContain('option forwardfor')
    expect(config).not.toMatch(/^\s*(log|option httplog)\b/m)
    // A settle may have succeeded although its connection broke.
    expect(config).toMatch(/^\s*retry-on conn-failure$/m)
  })

  test('lets one address hold a hundredth part of the connections, and none for long without a request', () => {
    const config = textOf('ops/haproxy.cfg')
    expect(config).toMatch(/^\s*tcp-request connection track-sc0 src,ipmask\(32,64\) unless from_own_proxy$/m)
    expect(config).toMatch(/^\s*tcp-request connection reject if \{ sc0_conn_cur gt 100 \}$/m)
    expect(config).toMatch(/^\s*timeout http-keep-alive 5s$/m)
    // Clients must not believe the service's own, longer time.
    expect(config).toMatch(/^\s*http-response set-header Keep-Alive timeout=5$/m)
  })

  test('blocks /metrics in every spelling', () => {
    const [, kept = ''] = /deny_status 404 if \{ path_reg (\S+) \}/.exec(textOf('ops/haproxy.cfg')) ?? []
    for (const path of ['/metrics', '/metrics/', '//metrics', '///metrics//']) {
      expect(readTarget(path)).toMatchObject({ path: '/metrics' })
      expect(path).toMatch(new RegExp(kept))
    }
    expect('/metricsx').not.toMatch(new RegExp(kept))
  })
})
