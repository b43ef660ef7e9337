// OP_MSG with {hello: 1, $db: 'admin'}; what begins to answer it is ready.
const command = '\x10hello\x00\x01\x00\x00\x00' + '\x02$db\x00\x06\x00\x00\x00admin\x00'
const body = `${String.fromCharCode(command.length + 5)}\x00\x00\x00${command}\x00`
const opMsg = '\x01\x00\x00\x00' + '\x00\x00\x00\x00' + '\xdd\x07\x00\x00' + '\x00\x00\x00\x00' + '\x00'
const hello = `${String.fromCharCode(4 + opMsg.length + body.length)}\x00\x00\x00${opMsg}${body}`

export const mongoProtocol = { hello, welcome: '' }

export const mongoUrl = (port: number): string => `mongodb://127.0.0.1:${port}`
