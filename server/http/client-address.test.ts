import { describe, expect, test } from 'vitest'
import { clientAddress } from './request-headers'

const behindProxy = (written: string) => clientAddress('10.0.0.1', written, 1)

describe('an IPv4-mapped IPv6 address becomes IPv4', () => {
  test.each([
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '::ffff:C000:0201',
    '0:0:0:0:0:ffff:c000:201',
    '0000:0000:0000:0000:0000:ffff:192.0.2.1',
    '::0:ffff:c000:201',
    '[::ffff:c000:201]:443',
    '[::ffff:192.0.2.1]',
    '::ffff:c000:201%eth0',
  ])('%s', (written) => {
    expect(behindProxy(written)).toBe('192.0.2.1')
    expect(clientAddress(written, undefined, 0)).toBe('192.0.2.1')
  })

  test('also where it begins or ends with zeros', () => {
    expect(behindProxy('::ffff:0:0')).toBe('0.0.0.0')
    expect(behindProxy('::ffff:a00:0')).toBe('10.0.0.0')
  })
})

describe('an IPv6 address has one canonical form', () => {
  test.each(['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8::0001', '[2001:db8::1]:443', '2001:db8::1%eth0'])(
    '%s',
    (written) => {
      expect(behindProxy(written)).toBe('2001:db8::1')
    },
  )

  test('and is no IPv4 address because it ends like one', () => {
    expect(behindProxy('2001:db8::ffff:c000:201')).toBe('2001:db8::ffff:c000:201')
    expect(behindProxy('::c000:201')).toBe('::c000:201')
  })
})

test("an invalid entry falls back to the socket's address", () => {
  for (const written of ['', 'unknown', '::ffff:c000:201:0:0:0:0:0:1', '1.2.3', '[::1'])
    expect(behindProxy(written)).toBe('10.0.0.1')
})
