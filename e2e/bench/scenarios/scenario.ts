/** One kind of figure, over the rounds. */
export type Figures = readonly number[]

/** Something that the figures must show. */
export interface Claim {
  what: string
  values: Figures
  /** Of two measurements, which the machine's neighbours may have disturbed. */
  isRatio?: boolean
  wanted: { atLeast: number } | { atMost: number }
}

export interface Result {
  /** Who was measured, and each of its figures by name and unit. */
  rows: { who: string; figures: Record<string, Figures> }[]
  claims: Claim[]
}

export interface Options {
  rounds: number
  /** A folder for profiles of the services' processor time. */
  profiles?: string | undefined
  say: (line: string) => void
}

export interface Scenario {
  name: string
  about: string
  run: (options: Options) => Promise<Result>
}
