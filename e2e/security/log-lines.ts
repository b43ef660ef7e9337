export interface LogLine {
  level: string
  service?: string
  msg: string
  method?: string
  path?: string
  status?: number
  requestId?: string
}

const ERRORS = ['error', 'fatal']
const isNodeWarning = (line: string): boolean => /^\(.*(Warning: |--trace-)/.test(line)

export const parseLogLine = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    // Output that is not JSON is a warning of Node or comes from a crash.
    return { level: isNodeWarning(line) ? 'info' : 'error', msg: line }
  }
}

/** Returns the log lines with level error or fatal. No input of a client may cause one. */
export const findErrors = (log: readonly string[]): string[] =>
  log.filter((line) => ERRORS.includes(parseLogLine(line).level))
