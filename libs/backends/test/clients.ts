import { randomUUID } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import { connect } from 'amqplib'
import { Redis } from 'ioredis'
import { createConnection } from 'mongoose'

const queueName = 'test-messages'
const containerName = 'test-blobs'

/** Opens a connection, runs the callback, and always closes the connection. */
const withChannel = async <T>(url: string, callback: (channel: Channel) => Promise<T>): Promise<T> => {
  const connection = await connect(url)
  try {
    return await callback(await connection.createConfirmChannel())
  } finally {
    await connection.close()
  }
}
type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createConfirmChannel']>>

const withCollection = async <T>(
  url: string,
  callback: (collection: Collection) => Promise<T>,
): Promise<T> => {
  const connection = await createConnection(url, { dbName: 'backends-test' }).asPromise()
  try {
    return await callback(connection.collection('documents'))
  } finally {
    await connection.close()
  }
}
type Collection = ReturnType<ReturnType<typeof createConnection>['collection']>

export const publishMessage = (url: string, text: string): Promise<void> =>
  withChannel(url, async (channel) => {
    await channel.assertQueue(queueName, { durable: true, arguments: { 'x-queue-type': 'quorum' } })
    channel.sendToQueue(queueName, Buffer.from(text), { persistent: true })
    await channel.waitForConfirms()
  })

export const consumeMessage = (url: string): Promise<string> =>
  withChannel(url, async (channel) => {
    const message = await channel.get(queueName, { noAck: true })
    return message ? message.content.toString() : 'none'
  })

export const insertDocument = (url: string, text: string): Promise<void> =>
  withCollection(url, async (collection) => {
    await collection.insertOne({ text })
  })

export const hasDocument = (url: string, text: string): Promise<boolean> =>
  withCollection(url, async (collection) => (await collection.countDocuments({ text })) === 1)

const blobClient = (url: string, name: string) =>
  BlobServiceClient.fromConnectionString(url).getContainerClient(containerName).getBlockBlobClient(name)

export const uploadBlob = async (url: string, text: string): Promise<void> => {
  await BlobServiceClient.fromConnectionString(url).getContainerClient(containerName).createIfNotExists()
  await blobClient(url, text).upload(text, Buffer.byteLength(text))
}

export const downloadBlob = async (url: string, name: string): Promise<string> =>
  (await blobClient(url, name).downloadToBuffer()).toString()

export const pingRedis = async (url: string): Promise<string> => {
  const client = new Redis(url)
  try {
    return await client.ping()
  } finally {
    client.disconnect()
  }
}

/**
 * Updates one document from several connections at once: each tries to claim it, then each increments its
 * count. Returns how many claims succeeded, and the final count.
 */
export const updateConcurrently = async (url: string, clients: number) => {
  const onEachConnection = <T>(callback: (collection: Collection) => Promise<T>) =>
    Promise.all(Array.from({ length: clients }, () => withCollection(url, callback)))
  const name = randomUUID()
  await withCollection(url, (collection) => collection.insertOne({ name, isClaimed: false, count: 0 }))
  const claimed = await onEachConnection((collection) =>
    collection.findOneAndUpdate({ name, isClaimed: false }, { $set: { isClaimed: true } }),
  )
  await onEachConnection((collection) => collection.updateOne({ name }, { $inc: { count: 1 } }))
  const updated = await withCollection(url, (collection) => collection.findOne({ name }))
  return { claims: claimed.filter(Boolean).length, count: updated?.count as number }
}
