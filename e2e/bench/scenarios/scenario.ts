/** The values of one figure, one for each round. */
export type Figures = readonly number[]

/** A limit that figures must not exceed or fall below. */
export interface Threshold {
  metric: string
  values: Figures
  /** Whether the values are ratios of two measurements, each of which other load on the machine may disturb. */
  isRatio?: boolean
  limit: { atLeast: number } | { atMost: number }
}

export interface Result {
  /** What was measured, and its figures by name and unit. */
  rows: { target: string; figures: Record<string, Figures> }[]
  thresholds: Threshold[]
}

export interface Options {
  rounds: number
  /** How long a long scenario measures. */
  minutes: number
  /** How many there are in the hall of `hall-5000`. */
  guests: number
  /** A folder for CPU profiles of the services. */
  profiles?: string | undefined
  print: (line: string) => void
}

export interface Scenario {
  name: string
  description: string
  /** Takes long, and its figures hardly vary: it runs only if the command line names it, and in one round. */
  isLong?: boolean
  run: (options: Options) => Promise<Result>
}
