import { randomBytes } from 'node:crypto'
import type { Envelope } from '@confetti/contracts'
import {
  connectBroker,
  createMessagingMetrics,
  newMessage,
  type Broker,
  type Consumer,
  type Subscription,
} from '@confetti/messaging'
import { createLogger } from '@confetti/service-kit'
import { deleteTopology, eventually, testBackends } from '@confetti/test-kit'
import { Registry } from 'prom-client'

export const logger = createLogger('messaging-test', process.env.CONFETTI_TEST_LOG ? 'debug' : 'fatal')
/** Short, and one that no test waits for. */
export const retryDelaysMs = [200, 400, 300_000]
const namespaces: string[] = []
export const newNamespace = (): string => {
  const namespace = `t${randomBytes(6).toString('hex')}`
  namespaces.push(namespace)
  return namespace
}
/** Deletes the queues of all namespaces that a file has used. */
export const deleteNamespaces = async (): Promise<void> => {
  await Promise.all(
    namespaces
      .splice(0)
      .map((namespace) => deleteTopology(testBackends().rabbitmq, namespace, retryDelaysMs)),
  )
}
export const newId = (): string => randomBytes(12).toString('hex')

export const publishedTypes = ['upload.deleted.v1', 'upload.changed.v1', 'user.deleted.v1'] as const

/** Connects to the broker. `stop` disconnects as a service does when it shuts down. */
export const startBroker = async (
  url: string,
  namespace: string,
  consumers: readonly Consumer[] = [],
  subscription?: Subscription,
): Promise<Broker & { metrics: Registry; stop: () => Promise<void> }> => {
  const registry = new Registry()
  const metrics = createMessagingMetrics(
    registry,
    consumers.map(({ queue }) => queue),
  )
  const broker = connectBroker({
    url,
    namespace,
    service: 'test',
    publishes: publishedTypes,
    consumers,
    subscription,
    retryDelaysMs,
    monitorIntervalMs: 300,
    metrics,
    logger,
  })
  await eventually(() => broker.isConnected(), 'connecting to the broker')
  const stop = async () => {
    await broker.stopConsuming()
    await broker.close()
  }
  return { ...broker, metrics: registry, stop }
}

export const deletedUpload = (uploadId = newId()) =>
  newMessage('upload.deleted.v1', { uploadId, eventId: newId() })

export const uploadIdsOf = (envelopes: readonly Envelope<'upload.deleted.v1'>[]): string[] =>
  envelopes.map(({ data }) => data.uploadId)
