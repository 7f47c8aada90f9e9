import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTarget } from '../../server/http/request-target'
import { ROOT } from '../support/source-files'
import { compose } from './compose'
import { at, itemsOf } from './yaml'

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

/** The file of the repository that a container of compose mounts first. */
const mounted = (service: string) => String(at(compose, 'services', service, 'volumes', 0)).split(':')[0] ?? ''

describe('the load balancer', () => {
  test('mounts an existing configuration, names its client, and logs no path', () => {
    const config = textOf(mounted('balancer'))
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

describe('TLS', () => {
  const config = textOf(mounted('tls'))

  test('is before the balancer, and the service trusts exactly these two', () => {
    const [, upstream, port] = /reverse_proxy (\w+):(\d+)/.exec(config) ?? []
    expect(upstream).toBe('balancer')
    expect(textOf(mounted('balancer'))).toMatch(new RegExp(`^\\s*bind :${port}$`, 'm'))
    expect(at(compose, 'services', 'service', 'environment', 'TRUSTED_PROXY_HOPS')).toContain('TRUSTED_PROXY_HOPS:-2}')
    // It appends nothing to what clients say: it must not be told to trust them.
    expect(config).not.toContain('trusted_proxies')
    expect(config).not.toContain('header_up')
  })

  test('serves the origin of the service, and listens for no other commands', () => {
    expect(config).toMatch(/^\{\$BASE_URL\} \{$/m)
    expect(at(compose, 'services', 'tls', 'environment', 'BASE_URL')).toContain('BASE_URL:?')
    expect(config).toMatch(/^\tadmin off$/m)
    expect(itemsOf(at(compose, 'services', 'tls', 'ports'))).toEqual(['80:80', '443:443', '443:443/udp'])
  })

  test('logs no path, not even of a request that failed', () => {
    expect(config).toMatch(/exclude http\.log\.error http\.handlers\.reverse_proxy$/m)
    // Requests are logged only where a site says so.
    expect(config.slice(config.indexOf('{$BASE_URL}'))).not.toMatch(/^\s*log\b/m)
  })

  test('keeps idle connections to the balancer for less time than the balancer does', () => {
    const [, ours = ''] = /^\s*keepalive (\d+)s$/m.exec(config) ?? []
    const [, its = ''] = /^\s*timeout http-keep-alive (\d+)s$/m.exec(textOf(mounted('balancer'))) ?? []
    expect(Number(ours)).toBeGreaterThan(0)
    expect(Number(ours)).toBeLessThan(Number(its))
  })

  test('waits for an answer as long as the balancer does', () => {
    const [, ours] = /^\s*response_header_timeout (\d+s)$/m.exec(config) ?? []
    const [, its] = /^\s*timeout server (\d+s)$/m.exec(textOf(mounted('balancer'))) ?? []
    expect(ours).toBe(its)
  })
})
