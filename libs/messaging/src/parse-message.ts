import { envelope, messages, type Envelope, type MessageType } from '@confetti/contracts'

export class InvalidMessageError extends Error {
  override name = 'InvalidMessageError'
}

/** Parses a message of one of the types `expected`. Returns an error if it violates its contract. */
export const parseMessage = (
  content: Buffer,
  expected: readonly MessageType[],
): Envelope | InvalidMessageError => {
  try {
    const message = envelope.parse(JSON.parse(content.toString()))
    const type = expected.find((each) => each === message.type)
    if (!type) throw new Error(`expected ${expected.join(' or ')}, got ${message.type}`)
    return { ...message, data: messages[type].parse(message.data) }
  } catch (error) {
    return new InvalidMessageError('The message violates its contract', { cause: error })
  }
}
