import fc from 'fast-check'

// What is smuggled asks for this, which nobody else does: no service may ever have seen it.
export const MARK = 'smuggled'
const smuggled = `GET /internal/users/${MARK} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${MARK}-${MARK}\r\n\r\n`

export const login = (head: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`

const chunked = 'Transfer-Encoding: chunked'
const upload = (length: number, body: string): string =>
  `POST /api/uploads HTTP/1.1\r\nHost: gateway\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n${body}`
const part = '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nTable 4\r\n'

/** Requests that two readers may take for different ones, by what is odd about them. */
export const framings: [string, string][] = [
  ['a length and chunks', login(`Content-Length: 4\r\n${chunked}`, `0\r\n\r\n${smuggled}`)],
  [
    'chunks and a length',
    login(`${chunked}\r\nContent-Length: ${smuggled.length + 5}`, `0\r\n\r\n${smuggled}`),
  ],
  ['two lengths', login('Content-Length: 0\r\nContent-Length: 4', smuggled)],
  ['one length twice', login('Content-Length: 2\r\nContent-Length: 2', `{}${smuggled}`)],
  ['two lengths in one line', login('Content-Length: 2, 2', `{}${smuggled}`)],
  ['a length in hexadecimal', login('Content-Length: 0x2', `{}${smuggled}`)],
  ['a length with a sign', login('Content-Length: -2', `{}${smuggled}`)],
  ['a length with spaces inside', login('Content-Length: 2 0', `{}${smuggled}`)],
  ['a length beyond all numbers', login(`Content-Length: ${'9'.repeat(40)}`, `{}${smuggled}`)],
  ['a length that is empty', login('Content-Length:', `{}${smuggled}`)],
  ['a length with a line break before its colon', login('Content-Length\r\n: 2', `{}${smuggled}`)],
  ['a length with a zero byte', login('Content-Length: 2\0', `{}${smuggled}`)],
  ['chunks of another name', login('Transfer-Encoding: xchunked', `0\r\n\r\n${smuggled}`)],
  ['chunks twice', login(`${chunked}\r\n${chunked}`, `0\r\n\r\n${smuggled}`)],
  ['chunks twice in one line', login('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${smuggled}`)],
  ['chunks and identity', login(`${chunked}\r\nTransfer-Encoding: identity`, `0\r\n\r\n${smuggled}`)],
  ['identity and a length', login('Transfer-Encoding: identity\r\nContent-Length: 2', `{}${smuggled}`)],
  ['gzip and chunks', login('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${smuggled}`)],
  ['chunks after a tab', login('Transfer-Encoding:\tchunked', `0\r\n\r\n${smuggled}`)],
  ['chunks after a vertical tab', login('Transfer-Encoding:\vchunked', `0\r\n\r\n${smuggled}`)],
  ['chunks in quotes', login('Transfer-Encoding: "chunked"', `0\r\n\r\n${smuggled}`)],
  ['chunks in a folded line', login('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${smuggled}`)],
  [
    'chunks behind another header’s fold',
    login(`X-Fold: a\r\n ${chunked}\r\nContent-Length: 2`, `{}${smuggled}`),
  ],
  ['chunks behind a bare carriage return', login(`X-A: a\r${chunked}\r\nContent-Length: 2`, `{}${smuggled}`)],
  ['chunks behind a bare line feed', login(`X-A: a\n${chunked}\r\nContent-Length: 2`, `{}${smuggled}`)],
  ['a space before the colon', login('Transfer-Encoding : chunked', `0\r\n\r\n${smuggled}`)],
  ['an underscore for the hyphen', login('Transfer_Encoding: chunked\r\nContent-Length: 2', `{}${smuggled}`)],
  ['capitals', login('TRANSFER-ENCODING: CHUNKED', `0\r\n\r\n${smuggled}`)],
  ['a chunk size with a sign', login(chunked, `+0\r\n\r\n${smuggled}`)],
  ['a chunk size in hexadecimal notation', login(chunked, `0x0\r\n\r\n${smuggled}`)],
  ['a chunk size beyond all numbers', login(chunked, `fffffffffffffffff\r\n${smuggled}`)],
  ['a chunk that is longer than it says', login(chunked, `2\r\n{}${smuggled}`)],
  ['a chunk extension with a line feed', login(chunked, `2;a\n\r\n{}\r\n0\r\n\r\n${smuggled}`)],
  ['trailers that frame', login(chunked, `2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n${smuggled}`)],
  ['a form that is longer than it says', upload(part.length, `${part}${smuggled}`)],
  ['a form that is shorter than it says', upload(part.length + 999, part)],
  ['line feeds alone', login('Content-Length: 2', `{}${smuggled}`).replaceAll('\r\n', '\n')],
  ['no host', `GET /api/users HTTP/1.1\r\n\r\n${smuggled}`],
  ['two hosts', `GET /api/users HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${smuggled}`],
  ['a body without any length', login('X-A: b', smuggled)],
  [
    'a length that names itself hop by hop',
    login('Connection: content-length\r\nContent-Length: 2', `{}${smuggled}`),
  ],
  ['HTTP/1.0 with chunks', login(chunked, `0\r\n\r\n${smuggled}`).replace('HTTP/1.1', 'HTTP/1.0')],
  ['HTTP/0.9', `GET /api/users\r\n${smuggled}`],
  ['HTTP/2 at once', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`],
  [
    'an upgrade to HTTP/2',
    login(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2',
      `{}${smuggled}`,
    ),
  ],
  [
    'an upgrade to a socket',
    `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${smuggled}`,
  ],
  ['CONNECT', `CONNECT auth:3000 HTTP/1.1\r\nHost: auth:3000\r\n\r\n${smuggled}`],
  ['an expectation', login('Expect: 100-continue\r\nContent-Length: 2', `{}${smuggled}`)],
  ['a strange expectation', login('Expect: 200-ok\r\nContent-Length: 2', `{}${smuggled}`)],
  [
    'a body on a GET',
    `GET /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  ],
  [
    'a body on a DELETE',
    `DELETE /api/admin/uploads/${'a'.repeat(24)} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
]

/** Addresses that a careless gateway would take to a call between services. */
export const targets: string[] = [
  '//internal/users/somebody',
  'http://auth:3000/internal/users/somebody',
  'http://gateway/api/../internal/users/somebody',
  'auth:3000',
  '*',
  '/api/events/..;/internal/users/somebody',
  '/api/events/%2e%2e%2finternal%2fusers%2fsomebody',
  '/api/events/%252e%252e%252finternal%252fusers%252fsomebody',
  '/api/events/..%c0%afinternal%c0%afusers%c0%afsomebody',
  '/api/events/..%ef%bc%8finternal',
  '/api/events/x%0d%0a%0d%0aGET%20/internal/users/somebody',
  '/api/events/x%20HTTP/1.1%0d%0aX:%20somebody',
  '/api/events\\..\\..\\internal\\users\\somebody',
  '/api/events/x?/../../internal/users/somebody#',
  '/api/events/active/..;/../../metrics',
  '/api;/users',
  '/api/users;jsessionid=1',
  '/api/users/.json',
  '/api/users/%00',
  '/metrics',
  '/api/metrics',
  '/healthz/../metrics',
  '/.well-known/jwks.json',
  '/api/.well-known/jwks.json',
  '/internal/events/somebody',
]

const heads = [
  'Content-Length: 0',
  'Content-Length: 2',
  `Content-Length: ${smuggled.length}`,
  'Content-Length : 2',
  'content-length: 02',
  'X-A: b\tc',
  ' folded',
  'Transfer-Encoding: chunked',
  'transfer-encoding: CHUNKED',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked;q=1',
  'Transfer-Encoding:',
  'Connection: keep-alive, transfer-encoding',
  'Connection: close, host',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Trailer: Content-Length',
  'X-HTTP-Method-Override: DELETE',
  'X-Original-URL: /internal/users/smuggled',
  'X-Rewrite-URL: /internal/users/smuggled',
]
const bodies = ['', '{}', '0\r\n\r\n', '2\r\n{}\r\n0\r\n\r\n', '0\r\nX: y\r\n\r\n', '0\n\n', ';\r\n']
/** Heads that are put together of what framing goes by, and something behind them. */
export const framedAtRandom = fc
  .record({
    line: fc.constantFrom(
      'POST /api/auth/login',
      'POST /api/uploads',
      'GET /api/users',
      'DELETE /api/auth/login',
    ),
    head: fc.array(fc.constantFrom(...heads), { maxLength: 5 }),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
    body: fc.constantFrom(...bodies),
  })
  .map(({ line, head, end, body }) =>
    [`${line} HTTP/1.1`, 'Host: x', ...head, '', body + smuggled]
      .join('\r\n')
      .replace('Host: x\r\n', `Host: x${end}`),
  )
