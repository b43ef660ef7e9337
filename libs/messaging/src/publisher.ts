import type { ConfirmChannel, Options } from 'amqplib'

// A frozen broker neither confirms nor disconnects; the caller must not wait for the heartbeat to find out.
const CONFIRM_TIME_LIMIT_MS = 10_000
// The channel keeps each until it is confirmed or the channel ends, and a broker in alarm reads nothing and hangs on.
const MOST_UNCONFIRMED = 1_000

interface Outgoing {
  exchange: string
  routingKey: string
  content: Buffer
  properties: Options.Publish & { messageId: string }
  /** Fail when no queue takes the message. */
  mandatory: boolean
}

export type Publish = (message: Outgoing) => Promise<void>

/**
 * Publishes on `channel`; resolves when the broker has confirmed that the message is safe in a queue. Rejects
 * when it was refused, reached no queue, was not confirmed within 10 s, or the channel closed meanwhile; and at once
 * while a thousand others are not confirmed.
 */
export const createPublish = (channel: ConfirmChannel): Publish => {
  const returned = new Set<string>()
  let unconfirmed = 0
  // The broker sends the return before the confirm.
  channel.on('return', ({ properties }) => returned.add(String(properties.messageId)))

  return ({ exchange, routingKey, content, properties, mandatory }) =>
    new Promise<void>((resolve, reject) => {
      if (unconfirmed >= MOST_UNCONFIRMED) throw new Error('The broker confirms nothing')
      const timer = setTimeout(
        () => reject(new Error('The broker did not confirm in time')),
        CONFIRM_TIME_LIMIT_MS,
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
    super(`No queue waits for ${routingKey}`)
  }
}
