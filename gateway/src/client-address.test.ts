import { expect, test } from '@jest/globals'
import type { Request } from 'express'
import { clientAddress } from './request-headers.ts'

const addressOf = (ip: string | undefined, remoteAddress?: string): string =>
  clientAddress({ ip, socket: { remoteAddress } as Request['socket'] })

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:0DB8:0:0::9', '2001:db8::9'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('The address %s is returned as %s', (ip, address) => {
  expect(addressOf(ip)).toBe(address)
})

test.each(['me', '127.1', '1', '300.0.0.1', '203.0.113.7:80', '', undefined])(
  'When the forwarded address is %j, then the address of the connection is returned',
  (ip) => {
    expect(addressOf(ip, '::ffff:192.0.2.4')).toBe('192.0.2.4')
  },
)

test('When the connection is gone, then the address is unknown', () => {
  expect(addressOf(undefined)).toBe('unknown')
})
