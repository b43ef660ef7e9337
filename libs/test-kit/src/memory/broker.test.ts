import { describe, expect, test } from '@jest/globals'
import type { ConfirmChannel } from 'amqplib'
import { testBrokerContract } from '../../test/broker-contract.ts'
import { createMemoryBroker, type Schedule } from './broker.ts'

describe('in the order of arrival', () => {
  const broker = createMemoryBroker()
  testBrokerContract({
    connect: () => broker.connect(),
    connectCuttable: async () => {
      const connection = await broker.connect()
      return { connection, cut: () => broker.cut(connection) }
    },
    namespace: 'test',
  })
})

/** Runs a work after the other, each time one of those that wait. */
const createShuffle = (seed: number): Schedule => {
  const waiting: (() => void)[] = []
  let state = seed
  const runAny = (): void => {
    state = (state * 48_271) % 2_147_483_647
    waiting.splice(state % waiting.length, 1)[0]?.()
  }
  return (work) => {
    waiting.push(work)
    setImmediate(runAny)
  }
}

describe.each([1, 2, 3])('in any order that AMQP allows (seed %d)', (seed) => {
  const broker = createMemoryBroker({ schedule: createShuffle(seed) })
  testBrokerContract({ connect: () => broker.connect(), namespace: 'test' })
})

const onBroker = async (broker: ReturnType<typeof createMemoryBroker>) => {
  const connection = await broker.connect()
  connection.on('error', () => undefined)
  const channel = await connection.createConfirmChannel()
  channel.on('error', () => undefined)
  return { connection, channel }
}
const publish = (channel: ConfirmChannel, queue: string, persistent: boolean) =>
  new Promise<string>((resolve) =>
    channel.publish('', queue, Buffer.from('text'), { persistent }, (error) =>
      resolve(error ? (error as Error).message : 'confirmed'),
    ),
  )

test('When the broker stops, then it has durable queues and persistent messages after its start, those included that were not acknowledged', async () => {
  const broker = createMemoryBroker()
  const { connection, channel } = await onBroker(broker)
  await channel.assertQueue('durable')
  await channel.assertQueue('transient', { durable: false })
  for (const isPersistent of [true, true, false]) await publish(channel, 'durable', isPersistent)
  await channel.get('durable')
  const closed = new Promise((resolve) => connection.on('close', resolve))
  broker.stop()
  const unconfirmed = publish(channel, 'durable', true)
  await closed
  expect(await unconfirmed).toBe('channel closed')
  await expect(broker.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  broker.start()
  const next = await onBroker(broker)
  expect(await next.channel.checkQueue('durable')).toMatchObject({ messageCount: 2 })
  expect(await next.channel.get('durable')).toMatchObject({ fields: { redelivered: true } })
  await expect(next.channel.checkQueue('transient')).rejects.toMatchObject({ code: 404 })
})

test('When a queue is lost before it has confirmed a message, then the message is refused', async () => {
  const broker = createMemoryBroker({
    schedule: (work, label) =>
      void setImmediate(() => {
        if (label.endsWith('commit any')) broker.loseQueue('any')
        work()
      }),
  })
  const { channel } = await onBroker(broker)
  await channel.assertQueue('any')
  expect(await publish(channel, 'any', true)).toBe('message nacked')
})

test('When the client notices a cut before the broker, then its messages are delivered again all the same', async () => {
  const delayed: (() => void)[] = []
  const broker = createMemoryBroker({
    schedule: (work, label) => {
      if (label.endsWith('broker loses connection')) delayed.push(work)
      else setImmediate(work)
    },
  })
  const [{ connection, channel }, other] = [await onBroker(broker), await onBroker(broker)]
  await channel.assertQueue('any')
  await publish(channel, 'any', true)
  await channel.get('any')
  const closed = new Promise((resolve) => connection.on('close', resolve))
  broker.cut(connection)
  await closed
  expect(await other.channel.get('any')).toBe(false)
  delayed[0]?.()
  expect(await other.channel.get('any')).toMatchObject({ fields: { redelivered: true } })
})

test('When the broker stops, then a message counts as returned once, however many connections consume its queue', async () => {
  const broker = createMemoryBroker()
  const consumers = [await onBroker(broker), await onBroker(broker), await onBroker(broker)]
  let received = 0
  for (const { channel } of consumers) {
    await channel.assertQueue('any', { arguments: { 'x-delivery-limit': 1 } })
    await channel.consume('any', () => (received += 1))
  }
  await publish((await onBroker(broker)).channel, 'any', true)
  broker.stop()
  broker.start()
  const { channel } = await onBroker(broker)
  expect(await channel.checkQueue('any')).toMatchObject({ messageCount: 1 })
  expect(received).toBe(1)
})

test('When an expired message reaches no queue, then it is dead-lettered again later, if the strategy is at-least-once', async () => {
  const timers: { work: () => void; delayMs: number }[] = []
  const broker = createMemoryBroker({ setTimer: (work, delayMs) => void timers.push({ work, delayMs }) })
  const { channel } = await onBroker(broker)
  const args = { 'x-message-ttl': 5, 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': 'target' }
  await channel.assertQueue('any', { arguments: { ...args, 'x-dead-letter-strategy': 'at-least-once' } })
  await publish(channel, 'any', true)
  timers[0]?.work()
  await channel.assertQueue('target')
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([5, 180_000])
  timers[1]?.work()
  expect(await channel.checkQueue('target')).toMatchObject({ messageCount: 1 })
})
