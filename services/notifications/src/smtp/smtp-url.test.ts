import { expect, test } from '@jest/globals'
import { parseSmtpUrl } from './smtp-hand-over.ts'

test('With credentials the connection is encrypted and the certificate verified', () => {
  expect(parseSmtpUrl('smtp://us%40er:p%2Fss@mail.example:587')).toEqual({
    host: 'mail.example',
    port: 587,
    secure: false,
    requireTLS: true,
    tls: { rejectUnauthorized: true },
    auth: { user: 'us@er', pass: 'p/ss' },
  })
  expect(parseSmtpUrl('smtps://mail.example')).toMatchObject({ port: 465, secure: true })
  expect(parseSmtpUrl('smtps://mail.example').tls.rejectUnauthorized).toBe(true)
})

test('Without credentials, encryption is used if the server offers it', () => {
  expect(parseSmtpUrl('smtp://[::1]:25')).toEqual({
    host: '::1',
    port: 25,
    secure: false,
    requireTLS: false,
    tls: { rejectUnauthorized: false },
  })
})
