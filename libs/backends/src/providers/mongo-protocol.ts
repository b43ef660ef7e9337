// An OP_MSG with {ping: 1, $db: 'admin'}. The response {ok: 1} means that the server is ready; FerretDB sends
// it only when PostgreSQL responds as well.
const command = '\x10ping\x00\x01\x00\x00\x00' + '\x02$db\x00\x06\x00\x00\x00admin\x00'
const body = `${String.fromCharCode(command.length + 5)}\x00\x00\x00${command}\x00`
const opMsg = '\x01\x00\x00\x00' + '\x00\x00\x00\x00' + '\xdd\x07\x00\x00' + '\x00\x00\x00\x00' + '\x00'
const request = `${String.fromCharCode(4 + opMsg.length + body.length)}\x00\x00\x00${opMsg}${body}`

export const mongoProbe = { request, expectedResponse: /ok\0{7}\xf0\x3f/ }

export const mongoUrl = (port: number): string => `mongodb://127.0.0.1:${port}`
