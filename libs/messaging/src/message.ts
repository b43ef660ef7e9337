import { randomUUID } from 'node:crypto'
import { envelope, messages, type Envelope, type MessageData, type MessageType } from '@confetti/contracts'
import { currentContext, injectTraceContext } from '@confetti/service-kit'

export class InvalidMessageError extends Error {
  override name = 'InvalidMessageError'
}

/** Parses a message of one of the types `expected`. Returns an error if it violates its contract. */
export const parseMessage = <T extends MessageType>(
  content: Buffer,
  expected: readonly T[],
): Envelope<T> | InvalidMessageError => {
  try {
    const message = envelope.parse(JSON.parse(content.toString()))
    const type = expected.find((each) => each === message.type)
    if (!type) throw new Error(`expected ${expected.join(' or ')}, got ${message.type}`)
    return { ...message, type, data: messages[type].parse(message.data) as MessageData<T> }
  } catch (error) {
    return new InvalidMessageError('The message violates its contract', { cause: error })
  }
}

/** A message as it is stored in an outbox. Its id stays the same however often it is published. */
export type Message<T extends MessageType = MessageType> = Omit<
  Envelope<T>,
  'source' | 'specversion' | 'datacontenttype'
>

/**
 * Creates a message with the current time, request id and trace context. Fields of `data` that are not part of the
 * message's contract are left out. Throws if `data` violates the contract.
 */
export const newMessage = <T extends MessageType>(type: T, data: MessageData<T>): Message<T> => {
  const { requestId } = currentContext()
  return {
    id: randomUUID(),
    type,
    time: new Date().toISOString(),
    data: messages[type].parse(data) as MessageData<T>,
    ...(requestId && { requestid: requestId }),
    ...injectTraceContext(),
  }
}

/** Converts a message to a CloudEvent 1.0 from `source`. */
export const toEnvelope = (message: Message, source: string): Envelope => ({
  specversion: '1.0',
  id: message.id,
  type: message.type,
  source,
  time: message.time,
  datacontenttype: 'application/json',
  ...(message.requestid && { requestid: message.requestid }),
  ...(message.traceparent && { traceparent: message.traceparent }),
  ...(message.tracestate && { tracestate: message.tracestate }),
  data: message.data,
})
