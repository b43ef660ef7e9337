import { Transform } from 'node:stream'
import pretty from 'pino-pretty'

const prettyStream = pretty({
  colorize: process.stdout.isTTY,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'service,requestId,level',
  messageFormat: '{service} {msg}',
  singleLine: true,
})

// The gateway logs every request, so the request logs of the other services are duplicates.
const isDuplicateRequestLine = (line: string): boolean =>
  line.includes('"msg":"request completed"') && !line.includes('"service":"gateway"')

/** Accepts the JSON log lines of the services, one line per write, and prints them in a readable format. */
export const serviceLog = new Transform({
  transform: (line: Buffer, _, done) =>
    done(null, isDuplicateRequestLine(line.toString()) ? undefined : line),
})
serviceLog.pipe(prettyStream)
