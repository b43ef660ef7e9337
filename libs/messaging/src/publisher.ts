import type { ConfirmChannel, ConsumeMessage, Options } from 'amqplib'

// A frozen broker neither confirms nor disconnects, and its missed heartbeats are noticed only later.
const CONFIRM_TIMEOUT_MS = 10_000
// The channel buffers messages until they are confirmed, and a broker with a resource alarm confirms nothing.
const MAX_UNCONFIRMED = 1_000

interface Outgoing {
  exchange: string
  routingKey: string
  content: Buffer
  properties: Options.Publish & { messageId: string }
  /** Whether to fail if the message reaches no queue. */
  mandatory: boolean
}

export type Publish = (message: Outgoing) => Promise<void>

/** A copy of a message that was delivered. It fails if it reaches no queue: the message would be lost. */
export const copyOf = (
  { content, properties }: Pick<ConsumeMessage, 'content' | 'properties'>,
  to: Pick<Outgoing, 'exchange' | 'routingKey'>,
  headers: Record<string, unknown>,
): Outgoing => ({
  ...to,
  content,
  properties: {
    contentType: properties.contentType as string,
    messageId: String(properties.messageId),
    headers,
  },
  mandatory: true,
})

/**
 * Creates a function that publishes on `channel` and resolves when the broker has confirmed the message. It rejects if
 * the broker refuses the message, no queue receives it, no confirm arrives within 10 s, or the channel closes; and at
 * once while 1,000 other messages are unconfirmed.
 */
export const createPublish = (channel: ConfirmChannel): Publish => {
  const returned = new Set<string>()
  let unconfirmed = 0
  // The broker sends a return before the confirm of the same message.
  channel.on('return', ({ properties }) => returned.add(String(properties.messageId)))

  return ({ exchange, routingKey, content, properties, mandatory }) =>
    new Promise<void>((resolve, reject) => {
      if (unconfirmed >= MAX_UNCONFIRMED) throw new Error('The broker has not confirmed 1,000 messages')
      const timer = setTimeout(
        () => reject(new Error('The broker did not confirm in time')),
        CONFIRM_TIMEOUT_MS,
      )
      unconfirmed += 1
      const settle = (error: unknown): void => {
        clearTimeout(timer)
        unconfirmed -= 1
        const unroutable = returned.delete(properties.messageId)
        if (error) reject(error instanceof Error ? error : new Error('The broker refused the message'))
        else if (unroutable) reject(new UnroutableError(routingKey))
        else resolve()
      }
      const options = { ...properties, persistent: true, mandatory }
      try {
        channel.publish(exchange, routingKey, content, options, settle)
      } catch (error) {
        settle(error)
      }
    })
}

export class UnroutableError extends Error {
  override name = 'UnroutableError'
  constructor(routingKey: string) {
    super(`No queue is bound to ${routingKey}`)
  }
}
