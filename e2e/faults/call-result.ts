/** How one call ended for the client that made it. */
export type CallResult =
  | { connectionLost: true; ms: number }
  | {
      connectionLost: false
      ms: number
      status: number
      code: string
      message: string
      /** In seconds. */
      retryAfter?: number
    }

/** Whether a call was answered 502 or 503 with `Retry-After`. */
export const isTemporarilyUnavailable = (result: CallResult): boolean =>
  !result.connectionLost && (result.status === 502 || result.status === 503) && (result.retryAfter ?? 0) > 0
