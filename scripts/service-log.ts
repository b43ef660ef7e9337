import pretty from 'pino-pretty'

/** Takes the services' JSON lines, writes one readable log. */
export const serviceLog = pretty({
  colorize: process.stdout.isTTY,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'service,requestId,level',
  messageFormat: '{service} {msg}',
  singleLine: true,
})
