import { randomUUID } from 'node:crypto'
import type { Envelope, MessageData, MessageType } from '@confetti/contracts'
import { currentContext, traceContext } from '@confetti/service-kit'

/** A fact to be told, as it waits in an outbox. The id stays the same however often it is sent. */
export type Message<T extends MessageType = MessageType> = Omit<
  Envelope<T>,
  'source' | 'specversion' | 'datacontenttype'
>

/** A new fact; `time` is now, and it carries the ids of the request and the trace that caused it. */
export const newMessage = <T extends MessageType>(type: T, data: MessageData<T>): Message<T> => {
  const { requestId } = currentContext()
  return {
    id: randomUUID(),
    type,
    time: new Date().toISOString(),
    data,
    ...(requestId && { requestid: requestId }),
    ...traceContext(),
  }
}

/** The message as a CloudEvent 1.0 from `source`. */
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
