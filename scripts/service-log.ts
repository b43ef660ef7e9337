import { Transform } from 'node:stream'
import pretty from 'pino-pretty'

const readable = pretty({
  colorize: process.stdout.isTTY,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'service,requestId,level',
  messageFormat: '{service} {msg}',
  singleLine: true,
})

// The gateway tells of every call already.
const isToldTwice = (line: string): boolean =>
  line.includes('"msg":"answered"') && !line.includes('"service":"gateway"')

/** Takes the services' JSON lines, one a write, and prints one readable log. */
export const serviceLog = new Transform({
  transform: (line: Buffer, _, done) => done(null, isToldTwice(line.toString()) ? undefined : line),
})
serviceLog.pipe(readable)
