/** The file cannot be processed, and retrying does not help. The message is shown to people. */
export class UnprocessableMediaError extends Error {
  override name = 'UnprocessableMediaError'
}

/** The decoder ended without a result. The cause may be the file or the machine. */
export class DecoderCrashError extends Error {
  override name = 'DecoderCrashError'
}
