import fc from 'fast-check'

// The smuggled request contains this marker. It must not appear in the log of any service.
export const SMUGGLED_MARKER = 'smuggled'
const smuggledRequest = `GET /internal/users/${SMUGGLED_MARKER} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${SMUGGLED_MARKER}-${SMUGGLED_MARKER}\r\n\r\n`

export const loginRequest = (head: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`

const chunked = 'Transfer-Encoding: chunked'
const uploadRequest = (length: number, body: string): string =>
  `POST /api/uploads HTTP/1.1\r\nHost: gateway\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${length}\r\n\r\n${body}`
const part = '--x\r\nContent-Disposition: form-data; name="photoCredit"\r\n\r\nTable 4\r\n'

/** Requests whose end two HTTP parsers may determine differently, by description. */
export const ambiguousRequests: [string, string][] = [
  [
    'Content-Length before Transfer-Encoding',
    loginRequest(`Content-Length: 4\r\n${chunked}`, `0\r\n\r\n${smuggledRequest}`),
  ],
  [
    'Transfer-Encoding before Content-Length',
    loginRequest(
      `${chunked}\r\nContent-Length: ${smuggledRequest.length + 5}`,
      `0\r\n\r\n${smuggledRequest}`,
    ),
  ],
  ['two different lengths', loginRequest('Content-Length: 0\r\nContent-Length: 4', smuggledRequest)],
  ['the same length twice', loginRequest('Content-Length: 2\r\nContent-Length: 2', `{}${smuggledRequest}`)],
  ['two lengths in one header', loginRequest('Content-Length: 2, 2', `{}${smuggledRequest}`)],
  ['a length in hexadecimal', loginRequest('Content-Length: 0x2', `{}${smuggledRequest}`)],
  ['a length with a sign', loginRequest('Content-Length: -2', `{}${smuggledRequest}`)],
  ['a length with a space inside', loginRequest('Content-Length: 2 0', `{}${smuggledRequest}`)],
  ['a length of 40 digits', loginRequest(`Content-Length: ${'9'.repeat(40)}`, `{}${smuggledRequest}`)],
  ['an empty length', loginRequest('Content-Length:', `{}${smuggledRequest}`)],
  [
    'a length with a line break before the colon',
    loginRequest('Content-Length\r\n: 2', `{}${smuggledRequest}`),
  ],
  ['a length with a zero byte', loginRequest('Content-Length: 2\0', `{}${smuggledRequest}`)],
  [
    'an unknown transfer encoding',
    loginRequest('Transfer-Encoding: xchunked', `0\r\n\r\n${smuggledRequest}`),
  ],
  ['chunked in two headers', loginRequest(`${chunked}\r\n${chunked}`, `0\r\n\r\n${smuggledRequest}`)],
  [
    'chunked twice in one header',
    loginRequest('Transfer-Encoding: chunked, chunked', `0\r\n\r\n${smuggledRequest}`),
  ],
  [
    'chunked and identity',
    loginRequest(`${chunked}\r\nTransfer-Encoding: identity`, `0\r\n\r\n${smuggledRequest}`),
  ],
  [
    'identity and a length',
    loginRequest('Transfer-Encoding: identity\r\nContent-Length: 2', `{}${smuggledRequest}`),
  ],
  ['gzip and chunked', loginRequest('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${smuggledRequest}`)],
  ['chunked after a tab', loginRequest('Transfer-Encoding:\tchunked', `0\r\n\r\n${smuggledRequest}`)],
  [
    'chunked after a vertical tab',
    loginRequest('Transfer-Encoding:\vchunked', `0\r\n\r\n${smuggledRequest}`),
  ],
  ['chunked in quotes', loginRequest('Transfer-Encoding: "chunked"', `0\r\n\r\n${smuggledRequest}`)],
  ['chunked in a folded line', loginRequest('Transfer-Encoding:\r\n chunked', `0\r\n\r\n${smuggledRequest}`)],
  [
    'chunked in the folded line of another header',
    loginRequest(`X-Fold: a\r\n ${chunked}\r\nContent-Length: 2`, `{}${smuggledRequest}`),
  ],
  [
    'chunked after a bare carriage return',
    loginRequest(`X-A: a\r${chunked}\r\nContent-Length: 2`, `{}${smuggledRequest}`),
  ],
  [
    'chunked after a bare line feed',
    loginRequest(`X-A: a\n${chunked}\r\nContent-Length: 2`, `{}${smuggledRequest}`),
  ],
  ['a space before the colon', loginRequest('Transfer-Encoding : chunked', `0\r\n\r\n${smuggledRequest}`)],
  [
    'an underscore instead of the hyphen',
    loginRequest('Transfer_Encoding: chunked\r\nContent-Length: 2', `{}${smuggledRequest}`),
  ],
  ['capital letters', loginRequest('TRANSFER-ENCODING: CHUNKED', `0\r\n\r\n${smuggledRequest}`)],
  ['a chunk size with a sign', loginRequest(chunked, `+0\r\n\r\n${smuggledRequest}`)],
  ['a chunk size in hexadecimal notation', loginRequest(chunked, `0x0\r\n\r\n${smuggledRequest}`)],
  ['a chunk size of 17 digits', loginRequest(chunked, `fffffffffffffffff\r\n${smuggledRequest}`)],
  ['a chunk that is longer than its size', loginRequest(chunked, `2\r\n{}${smuggledRequest}`)],
  ['a chunk extension with a line feed', loginRequest(chunked, `2;a\n\r\n{}\r\n0\r\n\r\n${smuggledRequest}`)],
  [
    'a Content-Length trailer',
    loginRequest(chunked, `2\r\n{}\r\n0\r\nContent-Length: 99\r\n\r\n${smuggledRequest}`),
  ],
  ['a form that is longer than its Content-Length', uploadRequest(part.length, `${part}${smuggledRequest}`)],
  [
    'line feeds without carriage returns',
    loginRequest('Content-Length: 2', `{}${smuggledRequest}`).replaceAll('\r\n', '\n'),
  ],
  ['no Host header', `GET /api/users HTTP/1.1\r\n\r\n${smuggledRequest}`],
  ['two Host headers', `GET /api/users HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${smuggledRequest}`],
  ['a body without a length', loginRequest('X-A: b', smuggledRequest)],
  [
    'a length declared as a hop-by-hop header',
    loginRequest('Connection: content-length\r\nContent-Length: 2', `{}${smuggledRequest}`),
  ],
  [
    'chunked with HTTP/1.0',
    loginRequest(chunked, `0\r\n\r\n${smuggledRequest}`).replace('HTTP/1.1', 'HTTP/1.0'),
  ],
  ['the version HTTP/0.9', `GET /api/users\r\n${smuggledRequest}`],
  ['the HTTP/2 preface', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggledRequest}`],
  [
    'an upgrade to HTTP/2',
    loginRequest(
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 2',
      `{}${smuggledRequest}`,
    ),
  ],
  [
    'an upgrade to a WebSocket',
    `GET /api/users HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${smuggledRequest}`,
  ],
  ['the method CONNECT', `CONNECT auth:3000 HTTP/1.1\r\nHost: auth:3000\r\n\r\n${smuggledRequest}`],
  ['Expect: 100-continue', loginRequest('Expect: 100-continue\r\nContent-Length: 2', `{}${smuggledRequest}`)],
  ['an unknown expectation', loginRequest('Expect: 200-ok\r\nContent-Length: 2', `{}${smuggledRequest}`)],
  [
    'a body on a GET',
    `GET /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggledRequest.length}\r\n\r\n${smuggledRequest}`,
  ],
  [
    'a body on a DELETE',
    `DELETE /api/admin/uploads/${'a'.repeat(24)} HTTP/1.1\r\nHost: x\r\n${chunked}\r\n\r\n0\r\n\r\n${smuggledRequest}`,
  ],
]

/** Those to which the gateway closes the connection without a response. */
export const requestsWithoutResponse = ['chunked with HTTP/1.0', 'the method CONNECT']

/** Request targets that a vulnerable gateway would forward to an internal route. */
export const suspiciousTargets: string[] = [
  '//internal/users/someone',
  'http://auth:3000/internal/users/someone',
  'http://gateway/api/../internal/users/someone',
  'auth:3000',
  '*',
  '/api/events/..;/internal/users/someone',
  '/api/events/%2e%2e%2finternal%2fusers%2fsomeone',
  '/api/events/%252e%252e%252finternal%252fusers%252fsomeone',
  '/api/events/..%c0%afinternal%c0%afusers%c0%afsomeone',
  '/api/events/..%ef%bc%8finternal',
  '/api/events/x%0d%0a%0d%0aGET%20/internal/users/someone',
  '/api/events/x%20HTTP/1.1%0d%0aX:%20someone',
  '/api/events\\..\\..\\internal\\users\\someone',
  '/api/events/x?/../../internal/users/someone#',
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
  '/internal/events/someone',
]

const headerLines = [
  'Content-Length: 0',
  'Content-Length: 2',
  `Content-Length: ${smuggledRequest.length}`,
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
/** Generates requests with random headers that affect the message length, followed by a smuggled request. */
export const randomRequest = fc
  .record({
    requestLine: fc.constantFrom(
      'POST /api/auth/login',
      'POST /api/uploads',
      'GET /api/users',
      'DELETE /api/auth/login',
    ),
    headers: fc.array(fc.constantFrom(...headerLines), { maxLength: 5 }),
    lineEnd: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
    body: fc.constantFrom(...bodies),
  })
  .map(({ requestLine, headers, lineEnd, body }) =>
    [`${requestLine} HTTP/1.1`, 'Host: x', ...headers, '', body + smuggledRequest]
      .join('\r\n')
      .replace('Host: x\r\n', `Host: x${lineEnd}`),
  )
