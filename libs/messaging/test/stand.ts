import { randomBytes } from 'node:crypto'
import type { Envelope } from '@confetti/contracts'
import { connectBroker, newMessage, type Broker, type Consumer } from '@confetti/messaging'
import { createLogger } from '@confetti/service-kit'
import { eventually } from '@confetti/test-kit'

export const logger = createLogger('messaging-test', process.env.CONFETTI_TEST_LOG ? 'debug' : 'fatal')
export const newNamespace = (): string => `t${randomBytes(6).toString('hex')}`
export const newId = (): string => randomBytes(12).toString('hex')

/** A connected broker; `stop` ends it as a service would. */
export const startBroker = async (
  url: string,
  namespace: string,
  consumers: readonly Consumer[] = [],
): Promise<Broker & { stop: () => Promise<void> }> => {
  const broker = connectBroker({ url, namespace, source: '/test', consumers, logger })
  await eventually(() => broker.connected(), 'connecting to the broker')
  const stop = async () => {
    await broker.stopConsuming()
    await broker.close()
  }
  return { ...broker, stop }
}

export const deletedUpload = (uploadId = newId()) =>
  newMessage('upload.deleted.v1', { uploadId, eventId: newId() })

export const idsOf = (envelopes: readonly Envelope<'upload.deleted.v1'>[]): string[] =>
  envelopes.map(({ data }) => data.uploadId)
