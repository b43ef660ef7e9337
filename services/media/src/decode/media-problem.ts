/** It lies with the file, so no further attempt can help; the message is fit to show a person. */
export class MediaProblem extends Error {
  override name = 'MediaProblem'
}

/** The decoder ended without an answer: perhaps because of the file, perhaps because of the machine. */
export class DecoderDied extends Error {
  override name = 'DecoderDied'
}
