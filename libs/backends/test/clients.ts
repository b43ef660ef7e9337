import { randomUUID } from 'node:crypto'
import { BlobServiceClient } from '@azure/storage-blob'
import { connect } from 'amqplib'
import { Redis } from 'ioredis'
import { createConnection } from 'mongoose'

const queue = 'kept'

/** Opens a connection, does one thing with it, and closes it whatever comes. */
const withBroker = async <T>(url: string, act: (channel: Channel) => Promise<T>): Promise<T> => {
  const connection = await connect(url)
  try {
    return await act(await connection.createConfirmChannel())
  } finally {
    await connection.close()
  }
}
type Channel = Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createConfirmChannel']>>

const withDocuments = async <T>(url: string, act: (documents: Documents) => Promise<T>): Promise<T> => {
  const connection = await createConnection(url, { dbName: 'backends-test' }).asPromise()
  try {
    return await act(connection.collection('kept'))
  } finally {
    await connection.close()
  }
}
type Documents = ReturnType<ReturnType<typeof createConnection>['collection']>

export const keepMessage = (url: string, text: string): Promise<void> =>
  withBroker(url, async (channel) => {
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } })
    channel.sendToQueue(queue, Buffer.from(text), { persistent: true })
    await channel.waitForConfirms()
  })

export const takeMessage = (url: string): Promise<string> =>
  withBroker(url, async (channel) => {
    const message = await channel.get(queue, { noAck: true })
    return message ? message.content.toString() : 'none'
  })

export const keepDocument = (url: string, text: string): Promise<void> =>
  withDocuments(url, async (documents) => {
    await documents.insertOne({ text })
  })

export const hasDocument = (url: string, text: string): Promise<boolean> =>
  withDocuments(url, async (documents) => (await documents.countDocuments({ text })) === 1)

const blobOf = (url: string, name: string) =>
  BlobServiceClient.fromConnectionString(url).getContainerClient('kept').getBlockBlobClient(name)

export const keepBlob = async (url: string, text: string): Promise<void> => {
  await BlobServiceClient.fromConnectionString(url).getContainerClient('kept').createIfNotExists()
  await blobOf(url, text).upload(text, Buffer.byteLength(text))
}

export const readBlob = async (url: string, name: string): Promise<string> =>
  (await blobOf(url, name).downloadToBuffer()).toString()

export const pingRedis = async (url: string): Promise<string> => {
  const client = new Redis(url)
  try {
    return await client.ping()
  } finally {
    client.disconnect()
  }
}

/** Lets several connections at once claim and then count up one document; how many won, and what was counted. */
export const raceForDocument = async (url: string, clients: number) => {
  const together = <T>(act: (documents: Documents) => Promise<T>) =>
    Promise.all(Array.from({ length: clients }, () => withDocuments(url, act)))
  const name = randomUUID()
  await withDocuments(url, (documents) => documents.insertOne({ name, free: true, count: 0 }))
  const claims = await together((documents) =>
    documents.findOneAndUpdate({ name, free: true }, { $set: { free: false } }),
  )
  await together((documents) => documents.updateOne({ name }, { $inc: { count: 1 } }))
  const raced = await withDocuments(url, (documents) => documents.findOne({ name }))
  return { winners: claims.filter(Boolean).length, count: raced?.count as number }
}
