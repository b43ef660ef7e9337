import type { Locale } from '@confetti/contracts'

/** What somebody sends to sign in or to register. */
export interface Credentials {
  email: string
  password: string
  /** The IP address of the client. */
  address: string
  /** The language that its browser prefers. */
  language: Locale | undefined
}
