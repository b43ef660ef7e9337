/** A call that has not ended after this time counts as hanging. */
export const HANG_TIMEOUT_MS = 60_000

export class HangError extends Error {
  override name = 'HangError'
}

/** Makes a call and aborts it after `HANG_TIMEOUT_MS`. Then throws a `HangError` with `description`. */
export const withHangTimeout = async <T>(
  description: string,
  makeCall: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const signal = AbortSignal.timeout(HANG_TIMEOUT_MS)
  try {
    return await makeCall(signal)
  } catch (cause) {
    if (signal.aborted)
      throw new HangError(`${description}: did not end within ${HANG_TIMEOUT_MS / 1_000} s`, { cause })
    throw cause
  }
}
