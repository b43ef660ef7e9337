/** A call that has neither an answer nor an end by then hangs. */
export const HANG_MS = 60_000

export class Hang extends Error {
  override name = 'Hang'
}

/** Makes a call that is given up when it hangs. Throws `Hang`, with the call's name, if it does. */
export const orHang = async <T>(what: string, make: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(HANG_MS)
  try {
    return await make(signal)
  } catch (cause) {
    if (signal.aborted) throw new Hang(`${what}: no end within ${HANG_MS / 1_000} s`, { cause })
    throw cause
  }
}
