import { expect, test } from '@jest/globals'
import { ApiError, createNetworkError } from '@confetti/api-client'
import type { NewTicket } from '@confetti/contracts'
import type { FileStatus, SelectedFile } from '../selected-files.ts'
import { createTicketRequests } from './request-tickets.ts'

const file = (name: string, size = 1): File =>
  Object.defineProperty(new File([], name), 'size', { value: size })
const files = (count: number, size?: number): [File, ...File[]] => [
  file('0.jpg', size),
  ...Array.from({ length: count - 1 }, (_, index) => file(`${index + 1}.jpg`, size)),
]

/** Creates the requests of a queue with these files. The server answers as `answer` says. */
const setup = (all: readonly File[], answer: () => NewTicket = () => ({}) as NewTicket) => {
  const requested: string[] = []
  const statuses = new Map<File, FileStatus>()
  const take = createTicketRequests(
    ({ credit, file: { name } }) => {
      requested.push(`${credit} ${name}`)
      return Promise.resolve().then(answer)
    },
    () => 7,
  )
  const selected = (): SelectedFile[] =>
    all.map((each, id) => ({ id, file: each, status: statuses.get(each) ?? 'queued', sentBytes: 0 }))
  /** Takes tickets, and returns for which files they were requested. */
  const takeAll = async (taken: readonly File[], credit = 'Ann'): Promise<string[]> => {
    requested.length = 0
    await Promise.all(taken.map((each) => take(each, { credit, selected, closedError: undefined })))
    return [...requested]
  }
  return { take, takeAll, statuses, selected }
}

test('When 100 files are sent, then the first one requests the tickets of all, each once', async () => {
  const all = files(100)
  const { takeAll } = setup(all)
  const [first, ...others] = all
  expect(await takeAll([first])).toHaveLength(100)
  expect(await takeAll(others)).toEqual([])
})

test('When more files are sent than a call may have, then the first without a ticket requests the next', async () => {
  const all = files(150)
  const { takeAll } = setup(all)
  await takeAll(all.slice(0, 100))
  expect(await takeAll(all.slice(100, 101))).toHaveLength(50)
})

test('When the files are large, then tickets are requested for the next two gigabytes', async () => {
  const all = files(10, 500_000_000)
  expect(await setup(all).takeAll(all.slice(0, 1))).toHaveLength(5)
})

test('When a file waits for Upload, was sent or has failed, then no ticket is requested for it', async () => {
  const all = files(4)
  const { takeAll, statuses } = setup(all)
  const others: FileStatus[] = ['ready', 'sent', 'failed']
  all.slice(1).forEach((other, index) => statuses.set(other, others[index] ?? 'sent'))
  expect(await takeAll(all.slice(0, 1))).toEqual(['Ann 0.jpg'])
})

test('When a file is sent again, or under another name, then it gets a new ticket', async () => {
  const all = files(1)
  const { takeAll } = setup(all)
  await takeAll(all)
  expect(await takeAll(all)).toEqual(['Ann 0.jpg'])
  expect(await takeAll(all, 'Bob')).toEqual(['Bob 0.jpg'])
})

test('When the call fails, then the next attempt requests the tickets again', async () => {
  const all = files(3)
  let isOnline = false
  const { take, takeAll, selected } = setup(all, () => {
    if (!isOnline) throw createNetworkError()
    return {} as NewTicket
  })
  await expect(take(all[0], { credit: 'Ann', selected, closedError: undefined })).rejects.toMatchObject({
    status: 0,
  })
  isOnline = true
  expect(await takeAll(all.slice(0, 1))).toHaveLength(3)
})

test('When the server issues fewer tickets to a guest, then each file requests its own from then on', async () => {
  const all = files(3)
  let isLimited = true
  const { take, takeAll, selected } = setup(all, () => {
    if (isLimited) throw new ApiError(429, { code: 'too_many_requests', message: 'Too many.' })
    return {} as NewTicket
  })
  await expect(take(all[0], { credit: 'Ann', selected, closedError: undefined })).rejects.toMatchObject({
    status: 429,
  })
  isLimited = false
  expect(await takeAll(all.slice(0, 1))).toEqual(['Ann 0.jpg'])
})

test('When the event is closed, then files have the tickets that were requested before, and no more are requested', async () => {
  const all = files(101)
  const { take, takeAll, selected } = setup(all)
  await takeAll(all.slice(0, 1))
  const closedError = new ApiError(410, { code: 'event_closed', message: 'Closed.' })
  const takeClosed = async (each: File | undefined) =>
    take(each ?? file('missing.jpg'), { credit: 'Ann', selected, closedError })
  await expect(takeClosed(all[99])).resolves.toMatchObject({ requestedAt: 7 })
  await expect(takeClosed(all[100])).rejects.toBe(closedError)
})
