export interface LogLine {
  level: number
  service?: string
  msg: string
  method?: string
  path?: string
  status?: number
  requestId?: string
}

const INFO = 30
const ERROR = 50
const isWarningOfNode = (line: string): boolean => /^\(.*(Warning: |--trace-)/.test(line)

export const parseLine = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    // What a service says beside its log, it says as it dies.
    return { level: isWarningOfNode(line) ? INFO : ERROR, msg: line }
  }
}

/** What services have logged as errors: nothing that a client sends is one. */
export const troublesIn = (log: readonly string[]): string[] =>
  log.filter((line) => parseLine(line).level >= ERROR)
