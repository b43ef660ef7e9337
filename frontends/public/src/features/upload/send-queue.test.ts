import { expect, test } from '@jest/globals'
import { ApiError } from '@confetti/api-client'
import { makeSendQueue, type Sending } from './send-queue.ts'

const photo = (name: string, size = 100): File =>
  new File([new Uint8Array(size)], name, { type: 'image/jpeg', lastModified: 1 })

const failure = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError(status, { code: 'any', message: `Answer ${status}.` }, retryAfterMs)
const lost = (): ApiError => failure(0)

/** Lets everything that is promised happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Attempt extends Sending {
  name: string
  arrive: () => Promise<void>
  fail: (error: Error) => Promise<void>
}

/** A queue whose files arrive, whose time passes and whose frames are drawn when the test says so. */
const makeStand = (names: string[], { random = 1 } = {}) => {
  const attempts: Attempt[] = []
  const waits: { ms: number; over: () => Promise<void> }[] = []
  let drawFrame: (() => void) | undefined
  let frames = 0
  let now = 1_000
  const queue = makeSendQueue({
    send: (file, sending) =>
      new Promise((resolve, reject) => {
        sending.signal.addEventListener('abort', () => reject(sending.signal.reason as Error))
        attempts.push({
          ...sending,
          name: file.name,
          arrive: () => (resolve(), settle()),
          fail: (error) => (reject(error), settle()),
        })
      }),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve())
        waits.push({ ms, over: () => ((now += ms), resolve(), settle()) })
      }),
    now: () => now,
    random: () => random,
    nextFrame: (draw) => {
      frames += 1
      drawFrame = draw
    },
  })
  queue.add(names.map((name) => photo(name)))

  const find = (name: string) => {
    const found = queue.state().files.find(({ file }) => file.name === name)
    if (!found) throw new Error(`${name} is not in the list.`)
    return found
  }
  const last = (name: string): Attempt => {
    const found = attempts.findLast((attempt) => attempt.name === name)
    if (!found) throw new Error(`${name} was never sent.`)
    return found
  }
  return {
    queue,
    attempts,
    waits,
    last,
    status: (name: string) => find(name).status,
    message: (name: string) => find(name).message,
    id: (name: string) => find(name).id,
    sent: () => attempts.map(({ name }) => name),
    draw: () => drawFrame?.(),
    frames: () => frames,
    pass: (ms: number) => (now += ms),
    lastWait: () => {
      const wait = waits.at(-1)
      if (!wait) throw new Error('Nothing waits.')
      return wait
    },
  }
}

test('When many files are sent, then three are under way at most, in their order', async () => {
  const stand = makeStand(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.jpg`))
  stand.queue.start('Table 4')
  expect(stand.sent()).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
  await stand.last('b.jpg').arrive()
  expect(stand.sent()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  expect(stand.status('b.jpg')).toBe('sent')
  expect(stand.status('e.jpg')).toBe('waiting')
})

test('When a run begins, then each of its files carries its credit and its one stamp', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  stand.queue.start('Table 4')
  stand.pass(500)
  await stand.last('a.jpg').arrive()
  expect(stand.attempts.map(({ credit, stamp }) => [credit, stamp])).toEqual(
    Array(4).fill(['Table 4', 1_000]),
  )
})

test.each([400, 404, 413, 415, 500])(
  'When the server refuses a file with %i, then it alone fails, with what the server says',
  async (status) => {
    const stand = makeStand(['bad.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
    stand.queue.start('Table 4')
    await stand.last('bad.jpg').fail(failure(status))
    expect(stand.status('bad.jpg')).toBe('failed')
    expect(stand.message('bad.jpg')).toBe(`Answer ${status}.`)
    expect(stand.status('d.jpg')).toBe('sending')
    expect(stand.waits).toEqual([])
  },
)

test('When a file cannot be read, then it fails at once and is not tried again', async () => {
  const stand = makeStand(['gone.jpg'])
  stand.queue.start('Table 4')
  await stand.last('gone.jpg').fail(new Error('This file cannot be read any more.'))
  expect(stand.status('gone.jpg')).toBe('failed')
  expect(stand.message('gone.jpg')).toBe('This file cannot be read any more.')
  expect(stand.waits).toEqual([])
})

test.each([0, 408, 429, 502, 503, 504])(
  'When the answer is %i, then the file goes again by itself',
  async (status) => {
    const stand = makeStand(['a.jpg'])
    stand.queue.start('Table 4')
    for (let round = 0; round < 20; round += 1) {
      await stand.last('a.jpg').fail(failure(status))
      expect(stand.status('a.jpg')).toBe('waiting')
      await stand.lastWait().over()
    }
    expect(stand.attempts).toHaveLength(21)
    await stand.last('a.jpg').arrive()
    expect(stand.status('a.jpg')).toBe('sent')
  },
)

test('When failure follows failure, then the wait doubles up to 30 seconds', async () => {
  const stand = makeStand(['a.jpg'])
  stand.queue.start('Table 4')
  for (let round = 0; round < 8; round += 1) {
    await stand.last('a.jpg').fail(lost())
    await stand.lastWait().over()
  }
  expect(stand.waits.map(({ ms }) => ms)).toEqual([1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 30e3, 30e3])
})

test('When the dice say so, then the wait is a part of that, down to nothing', async () => {
  const stand = makeStand(['a.jpg'], { random: 0.25 })
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(lost())
  await stand.lastWait().over()
  await stand.last('a.jpg').fail(lost())
  expect(stand.waits.map(({ ms }) => ms)).toEqual([250, 500])
})

test('When the server names a time, then that is waited for, and never less', async () => {
  const stand = makeStand(['a.jpg'], { random: 0 })
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(failure(503, 7_000))
  expect(stand.lastWait().ms).toBe(7_000)
  expect(stand.queue.state().holdup).toBe('busy')
})

test('When one is told to wait, then no other sets out; afterwards one goes ahead, and the rest when it has arrived', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg', 'f.jpg'])
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(failure(429, 5_000))
  await stand.last('b.jpg').fail(failure(429, 4_000))
  await stand.last('c.jpg').fail(failure(429, 5_000))
  expect(stand.attempts).toHaveLength(3)
  expect(stand.waits).toHaveLength(1)
  await stand.lastWait().over()
  expect(stand.sent().slice(3)).toEqual(['d.jpg'])
  await stand.last('d.jpg').arrive()
  expect(stand.sent().slice(4)).toEqual(['e.jpg', 'f.jpg', 'a.jpg'])
})

test('When a later answer names a longer time, then that one holds', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg'])
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(failure(503, 2_000))
  await stand.last('b.jpg').fail(failure(503, 60_000))
  expect(stand.waits.map(({ ms }) => ms)).toEqual([3_000, 61_000])
  await stand.waits[0]?.over()
  expect(stand.attempts).toHaveLength(2)
  await stand.waits[1]?.over()
  expect(stand.attempts).toHaveLength(3)
})

test('When an answered call succeeds during a wait, then a named time still holds, and a lost connection is over', async () => {
  const busy = makeStand(['a.jpg', 'b.jpg'])
  busy.queue.start('Table 4')
  await busy.last('a.jpg').fail(failure(503, 9_000))
  await busy.last('b.jpg').arrive()
  expect(busy.attempts).toHaveLength(2)

  const cut = makeStand(['a.jpg', 'b.jpg'])
  cut.queue.start('Table 4')
  await cut.last('a.jpg').fail(lost())
  await cut.last('b.jpg').arrive()
  expect(cut.sent()).toEqual(['a.jpg', 'b.jpg', 'a.jpg'])
})

test('When three fail in one cut, then it counts as one failure', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg'])
  stand.queue.start('Table 4')
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await stand.last(name).fail(lost())
  await stand.lastWait().over()
  await stand.last('a.jpg').fail(lost())
  expect(stand.waits.map(({ ms }) => ms)).toEqual([1_000, 2_000])
})

test('When the connection is back, then all that wait set out at once, unless the server named a time', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg'])
  stand.queue.start('Table 4')
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await stand.last(name).fail(lost())
  expect(stand.queue.state().holdup).toBe('lost')
  stand.queue.wake()
  expect(stand.attempts).toHaveLength(6)
  expect(stand.queue.state().holdup).toBeUndefined()

  await stand.last('a.jpg').fail(failure(429, 5_000))
  stand.queue.wake()
  expect(stand.attempts).toHaveLength(6)
})

test('When one file never gets through, then all others still arrive', async () => {
  const stand = makeStand(['cursed.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  stand.queue.start('Table 4')
  for (let round = 0; round < 30; round += 1) {
    const open = stand.queue.state().files.filter(({ status }) => status === 'sending')
    for (const { file } of open)
      if (file.name === 'cursed.jpg') await stand.last(file.name).fail(lost())
      else await stand.last(file.name).arrive()
    await stand.waits.at(-1)?.over()
  }
  const statuses = stand.queue.state().files.map(({ status }) => status)
  expect(statuses.slice(1)).toEqual(['sent', 'sent', 'sent', 'sent'])
  expect(['waiting', 'sending']).toContain(statuses[0])
})

test('When the event closes meanwhile, then all stops, and what has arrived stays so', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'])
  stand.queue.start('Table 4')
  await stand.last('a.jpg').arrive()
  await stand.last('b.jpg').fail(failure(410))
  expect(stand.queue.state().closed).toBe('Answer 410.')
  expect(stand.last('c.jpg').signal.aborted).toBe(true)
  expect(stand.queue.state().files.map(({ status }) => status)).toEqual([
    'sent',
    'failed',
    'failed',
    'failed',
    'failed',
  ])
  expect(stand.sent()).not.toContain('e.jpg')
})

test('When a failed file is tried again, then only that one goes; with none named, all that failed', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg'])
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(failure(415))
  await stand.last('b.jpg').fail(failure(415))
  await stand.last('c.jpg').arrive()
  stand.queue.retry('Table 5', stand.id('b.jpg'))
  expect(stand.sent().slice(3)).toEqual(['b.jpg'])
  expect(stand.last('b.jpg').credit).toBe('Table 5')
  await stand.last('b.jpg').fail(failure(415))
  stand.queue.retry('Table 5')
  expect(stand.sent().slice(4)).toEqual(['a.jpg', 'b.jpg'])
})

test('When files are chosen in several goes, then each is there once, and one of another kind says why it stays', () => {
  const stand = makeStand(['a.jpg'])
  stand.queue.add([photo('a.jpg'), photo('b.jpg'), new File(['x'], 'notes.txt', { type: 'text/plain' })])
  stand.queue.add([photo('b.jpg'), photo('b.jpg', 101)])
  expect(stand.queue.state().files.map(({ file, status }) => [file.name, status])).toEqual([
    ['a.jpg', 'ready'],
    ['b.jpg', 'ready'],
    ['notes.txt', 'unfit'],
    ['b.jpg', 'ready'],
  ])
  expect(stand.message('notes.txt')).toBe('This kind of file cannot be sent.')
  stand.queue.start('Table 4')
  expect(stand.sent()).toEqual(['a.jpg', 'b.jpg', 'b.jpg'])
})

test('When files are added while others are being sent, then they join the line', async () => {
  const stand = makeStand(['a.jpg', 'b.jpg', 'c.jpg'])
  stand.queue.start('Table 4')
  stand.queue.add([photo('d.jpg')])
  expect(stand.status('d.jpg')).toBe('waiting')
  await stand.last('a.jpg').arrive()
  expect(stand.status('d.jpg')).toBe('sending')
})

test('When a failed file is chosen anew, then it is ready again', async () => {
  const stand = makeStand(['a.jpg'])
  stand.queue.start('Table 4')
  await stand.last('a.jpg').fail(new Error('This file cannot be read any more.'))
  stand.queue.add([photo('a.jpg')])
  expect(stand.status('a.jpg')).toBe('ready')
  expect(stand.message('a.jpg')).toBeUndefined()
  expect(stand.queue.state().files).toHaveLength(1)
})

test('When a file is removed, then only one that has not set out goes', () => {
  const stand = makeStand(['a.jpg', 'b.jpg'])
  stand.queue.remove(stand.id('b.jpg'))
  stand.queue.start('Table 4')
  stand.queue.remove(stand.id('a.jpg'))
  expect(stand.queue.state().files.map(({ file }) => file.name)).toEqual(['a.jpg'])
})

test('When a file that failed is removed, then it is gone, and one that is on its way again stays', async () => {
  const stand = makeStand(['refused.jpg', 'b.jpg', 'c.jpg'])
  stand.queue.start('Table 4')
  await stand.last('refused.jpg').fail(failure(413))
  await stand.last('b.jpg').fail(failure(500))
  stand.queue.retry('Table 4', stand.id('b.jpg'))
  const [refused, again] = [stand.id('refused.jpg'), stand.id('b.jpg')]
  stand.queue.remove(refused)
  stand.queue.remove(again)
  await stand.last('c.jpg').arrive()
  stand.queue.remove(stand.id('c.jpg'))
  expect(stand.queue.state().files.map(({ file, status }) => [file.name, status])).toEqual([
    ['b.jpg', 'sending'],
    ['c.jpg', 'sent'],
  ])
  stand.queue.retry('Table 4')
  expect(stand.sent()).toEqual(['refused.jpg', 'b.jpg', 'c.jpg', 'b.jpg'])
})

test('When bytes leave often, then they are told once a frame', () => {
  const stand = makeStand(['a.jpg', 'b.jpg'])
  stand.queue.start('Table 4')
  let told = 0
  stand.queue.subscribe(() => (told += 1))
  for (let bytes = 1; bytes <= 50; bytes += 1) {
    stand.last('a.jpg').onProgress(bytes)
    stand.last('b.jpg').onProgress(bytes)
  }
  expect(told).toBe(0)
  expect(stand.frames()).toBe(1)
  stand.draw()
  expect(told).toBe(1)
  expect(stand.queue.state().files.map(({ sentBytes }) => sentBytes)).toEqual([50, 50])
})

test('When progress of an attempt that failed comes late, then it counts for nothing', async () => {
  const stand = makeStand(['a.jpg'])
  stand.queue.start('Table 4')
  const first = stand.last('a.jpg')
  await first.fail(lost())
  first.onProgress(80)
  stand.draw()
  expect(stand.queue.state().files[0]?.sentBytes).toBe(0)
})

test('When the files are forgotten, then not while one is under way', async () => {
  const stand = makeStand(['a.jpg'])
  stand.queue.start('Table 4')
  stand.queue.clear()
  expect(stand.queue.state().files).toHaveLength(1)
  await stand.last('a.jpg').arrive()
  stand.queue.clear()
  expect(stand.queue.state().files).toEqual([])
})
