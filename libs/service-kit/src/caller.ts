import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from './token-verifier.ts'

/** Who sent the request that is being handled. */
export interface Caller {
  /** Absent where the route is open to anyone. */
  principal?: Principal | undefined
  /** The IP address, as the gateway reports it. */
  address: string
}

const storage = new AsyncLocalStorage<Caller>()

/** The caller of the current request; undefined in work that no request asked for. */
export const currentCaller = (): Caller | undefined => storage.getStore()

export const withCaller = <T>(caller: Caller, work: () => T): T => storage.run(caller, work)
