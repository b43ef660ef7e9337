const MAX_LINES = 30

const warnings: string[] = []

/** Keeps a log line of a service if it is a warning or an error: a condition that is never met often has its cause there. */
export const recordWarning = (service: string, line: string): void => {
  if (!/"level":"(?:warn|error|fatal)"/.test(line)) return
  warnings.push(`${service} ${line.slice(0, 500)}`)
  if (warnings.length > MAX_LINES) warnings.shift()
}

/** The latest warnings and errors of the services that this process has started, oldest first. */
export const recentWarnings = (): readonly string[] => warnings
