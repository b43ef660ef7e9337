import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import type { GuestUpload } from '@confetti/contracts'
import { closeToasts, renderPage, stubApi } from '../../test/harness.tsx'
import { OwnUploads } from './own-uploads.tsx'

const EVENT_ID = '0123456789abcdef01234567'
const LIST = 'GET /api/guest/uploads'

const upload = (number: number, changes: Partial<GuestUpload> = {}): GuestUpload => ({
  _id: String(number).padStart(24, '0'),
  originalName: `photo-${number}.jpg`,
  photoCredit: 'Table 4',
  uploadedAt: '2027-06-12T20:00:00.000Z',
  contentType: 'image/jpeg',
  size: 1_000,
  status: 'ready',
  visibility: 'visible',
  thumbnailUrl: `http://blob.test/${number}.webp`,
  ...changes,
})
const deletionOf = (number: number): string => `DELETE /api/guest/uploads/${upload(number)._id}`

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
})
afterEach(() => {
  cleanup()
  closeToasts()
  jest.useRealTimers()
})

const open = () => {
  renderPage(`/upload?eventId=${EVENT_ID}`, () => <OwnUploads eventId={EVENT_ID} hasGallery sentCount={0} />)
  return userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) })
}
/** Opens the list beside a button that stands for sending a file. */
const openAndSend = (): void => {
  const Page = () => {
    const [sentCount, setSentCount] = useState(1)
    return (
      <>
        <button type="button" onClick={() => setSentCount(sentCount + 1)}>
          Send
        </button>
        <OwnUploads eventId={EVENT_ID} hasGallery sentCount={sentCount} />
      </>
    )
  }
  renderPage(`/upload?eventId=${EVENT_ID}`, Page)
}
const advance = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
/** What is in each tile: the name of its file, which is the text of its picture, its state and its button. */
const tiles = () =>
  screen.getAllByRole('listitem').map((tile) => (tile.querySelector('img')?.alt ?? '') + tile.textContent)

test('When a guest has sent files, then each shows with its state', async () => {
  const { calls } = stubApi({
    [LIST]: () => ({
      body: { uploads: [upload(3, { visibility: 'pending' }), upload(2, { status: 'failed' }), upload(1)] },
    }),
  })
  open()
  await screen.findByAltText('photo-3.jpg')
  expect(tiles()).toEqual([
    'photo-3.jpgWaiting for approvalDelete',
    "photo-2.jpgCouldn't be readDelete",
    'photo-1.jpgReadyDelete',
  ])
  expect(calls[0]?.authorization).toBeUndefined()
})

test('When a photo has arrived damaged, then the guest is asked to send it again', async () => {
  stubApi({ [LIST]: () => ({ body: { uploads: [upload(1, { isDamaged: true })] } }) })
  open()
  await screen.findByAltText('photo-1.jpg')
  expect(tiles()).toEqual(['photo-1.jpgReadyA part of it is missing. Please send it again.Delete'])
})

test('When nothing was sent, then there is no section', async () => {
  stubApi({ [LIST]: () => ({ body: { uploads: [] } }) })
  open()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Your photos' })).toBeNull())
})

test('When a file is being prepared, then the list loads again until it is ready', async () => {
  let status: GuestUpload['status'] = 'processing'
  const { requestsTo } = stubApi({ [LIST]: () => ({ body: { uploads: [upload(1, { status })] } }) })
  open()
  await screen.findByText('Being prepared')
  status = 'ready'
  await advance(4_000)
  await screen.findByText('Ready')
  await advance(60_000)
  expect(requestsTo(LIST)).toHaveLength(2)
})

test('When the list loads again, then it asks for what has changed, and lists no more than before', async () => {
  const sinces: (string | null)[] = []
  const first = Array.from({ length: 12 }, (_, index) => upload(20 - index, { status: 'processing' }))
  stubApi({
    [LIST]: (_, query) => {
      sinces.push(query.get('since'))
      return query.get('since') === null
        ? { body: { version: 'a', uploads: first, nextCursor: 'x' } }
        : { body: { version: 'b', uploads: [upload(21), upload(9), upload(1)], removed: [upload(20)._id] } }
    },
  })
  open()
  await screen.findByAltText('photo-20.jpg')
  await advance(4_000)
  await screen.findByAltText('photo-21.jpg')
  expect(tiles().map((tile) => /\d+/.exec(tile)?.[0])).toEqual(
    [21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9].map(String),
  )
  expect(tiles().at(-1)).toBe('photo-9.jpgReadyDelete')
  expect(sinces).toEqual([null, 'a'])
})

test('When what has changed is from before a deletion, then the file stays deleted', async () => {
  stubApi({
    [LIST]: (_, query) => ({
      body: {
        version: 'a',
        uploads:
          query.get('since') === null
            ? [upload(2, { status: 'processing' }), upload(1)]
            : [upload(2, { status: 'processing', photoCredit: 'Ada' }), upload(1)],
      },
    }),
    [deletionOf(1)]: () => ({ body: { message: 'Deleted' } }),
  })
  const press = openAndPress()
  await screen.findByAltText('photo-1.jpg')
  await advance(3_000)
  await press('Delete photo-1.jpg')
  await advance(1_500)
  expect(tiles()).toEqual(['photo-2.jpgBeing preparedDelete', `photo-1.jpg${DELETED}Undo`])
})

test('When files are sent one after the other, then one request asks for all of them', async () => {
  const { requestsTo } = stubApi({ [LIST]: () => ({ body: { uploads: [upload(1)] } }) })
  openAndSend()
  await screen.findByAltText('photo-1.jpg')
  for (let sent = 0; sent < 5; sent += 1) {
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await advance(300)
  }
  await advance(2_000)
  expect(requestsTo(LIST)).toHaveLength(2)
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await advance(2_000)
  expect(requestsTo(LIST)).toHaveLength(3)
})

/** A server on which uploads are deleted and restored. */
const stubServer = (uploads: GuestUpload[]) => {
  const deletedIds = new Set<string>()
  const failures = new Map<string, { status: number; code: string }>()
  const answer = (call: string, work: () => object) => {
    const failure = failures.get(call)
    return failure
      ? { status: failure.status, body: { message: 'No', code: failure.code } }
      : { body: work() }
  }
  const listed = () => uploads.filter(({ _id }) => !deletedIds.has(_id))
  const stub = stubApi({
    [LIST]: () => ({ body: { uploads: listed() } }),
    ...Object.fromEntries(
      uploads.flatMap((each) => [
        [
          `DELETE /api/guest/uploads/${each._id}`,
          () => answer('delete', () => ({ message: 'Deleted', added: deletedIds.add(each._id).size })),
        ],
        [
          `POST /api/guest/uploads/${each._id}/restore`,
          () => answer('restore', () => ({ upload: each, wasDeleted: deletedIds.delete(each._id) })),
        ],
      ]),
    ),
  })
  return {
    ...stub,
    /** Restores an upload, as a server does that receives the same file again. */
    receiveAgain: ({ _id }: GuestUpload): void => void deletedIds.delete(_id),
    fail: (
      call: 'delete' | 'restore',
      status: number | undefined,
      code = status === 404 ? 'upload_not_found' : 'busy',
    ): void => {
      if (status) failures.set(call, { status, code })
      else failures.delete(call)
    },
  }
}
/** Opens the list. Returns what presses a button of it, and waits for the answer. */
const openAndPress = () => {
  const user = open()
  return async (name: string): Promise<void> => {
    const button = await screen.findByRole('button', { name })
    await act(() => user.click(button))
    await advance(0)
  }
}
const DELETED = 'Deleted. You can undo this for 30 seconds.'

test('When a file is deleted, then the server deletes it at once, and it can be undone for 30 seconds', async () => {
  // While one is being prepared, the list is loaded again, and lacks the deleted one.
  const { requestsTo } = stubServer([upload(3, { status: 'processing' }), upload(2), upload(1)])
  const press = openAndPress()
  await press('Delete photo-2.jpg')
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
  expect(document.activeElement?.textContent).toBe('Undo')
  await advance(29_000)
  expect(requestsTo(LIST).length).toBeGreaterThan(3)
  expect(tiles()).toEqual([
    'photo-3.jpgBeing preparedDelete',
    `photo-2.jpg${DELETED}Undo`,
    'photo-1.jpgReadyDelete',
  ])
  await advance(1_000)
  expect(tiles()).toEqual(['photo-3.jpgBeing preparedDelete', 'photo-1.jpgReadyDelete'])
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
})

test('When deleting is undone after the phone showed another app, then the file is there again and stays', async () => {
  const { requestsTo } = stubServer([upload(2), upload(1)])
  const press = openAndPress()
  await press('Delete photo-2.jpg')
  act(() => void window.dispatchEvent(new Event('pagehide')))
  await advance(10_000)
  await press('Undo deleting photo-2.jpg')
  await waitFor(() => expect(tiles()).toEqual(['photo-2.jpgReadyDelete', 'photo-1.jpgReadyDelete']))
  expect(document.activeElement?.textContent).toBe('Delete')
  expect(screen.getByText('photo-2.jpg was restored.')).toBeTruthy()
  await advance(31_000)
  expect(tiles()).toEqual(['photo-2.jpgReadyDelete', 'photo-1.jpgReadyDelete'])
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
})

test('When it is too late to undo it, then the guest is told, and the file goes', async () => {
  const { fail } = stubServer([upload(1)])
  const press = openAndPress()
  await press('Delete photo-1.jpg')
  fail('restore', 404)
  await press('Undo deleting photo-1.jpg')
  await screen.findByText('photo-1.jpg has been deleted. It is too late to undo this.')
  expect(screen.queryByRole('listitem')).toBeNull()
})

test('When undoing fails, then the guest is told, and can try again', async () => {
  const { fail } = stubServer([upload(1)])
  const press = openAndPress()
  await press('Delete photo-1.jpg')
  fail('restore', 503)
  await press('Undo deleting photo-1.jpg')
  await screen.findByText("Couldn't undo deleting photo-1.jpg. Try again.")
  expect(tiles()).toEqual([`photo-1.jpg${DELETED}Undo`])
  fail('restore', undefined)
  await press('Undo deleting photo-1.jpg')
  await waitFor(() => expect(tiles()).toEqual(['photo-1.jpgReadyDelete']))
})

test('When a deleted file is sent again, then it shows as any other, and can be deleted again', async () => {
  const { receiveAgain, requestsTo } = stubServer([upload(2), upload(1)])
  openAndSend()
  const pressButton = async (name: string): Promise<void> => {
    fireEvent.click(await screen.findByRole('button', { name }))
    await advance(2_500)
  }
  await pressButton('Delete photo-2.jpg')
  receiveAgain(upload(2))
  await pressButton('Send')
  expect(tiles()).toEqual(['photo-2.jpgReadyDelete', 'photo-1.jpgReadyDelete'])
  await advance(31_000)
  expect(tiles()).toEqual(['photo-2.jpgReadyDelete', 'photo-1.jpgReadyDelete'])

  await pressButton('Delete photo-2.jpg')
  expect(requestsTo(deletionOf(2))).toHaveLength(2)
  expect(tiles()).toEqual([`photo-2.jpg${DELETED}Undo`, 'photo-1.jpgReadyDelete'])
})

test('When a file is deleted that is deleted already, as by another page, then it is gone, and the page tells of no failure', async () => {
  const { fail, requestsTo } = stubServer([upload(2), upload(1)])
  fail('delete', 404)
  const press = openAndPress()
  await press('Delete photo-2.jpg')
  expect(tiles()).toEqual([`photo-2.jpg${DELETED}Undo`, 'photo-1.jpgReadyDelete'])
  await advance(30_000)
  expect(tiles()).toEqual(['photo-1.jpgReadyDelete'])
  expect(screen.queryByText(/^Couldn't/)).toBeNull()
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
})

test.each([
  [503, 'busy'],
  [404, 'own_link_ended'],
])('When deleting fails with %i %s, then the file shows again, with a notice', async (status, code) => {
  const { fail } = stubServer([upload(1)])
  fail('delete', status, code)
  const press = openAndPress()
  await press('Delete photo-1.jpg')
  await screen.findByText("Couldn't delete photo-1.jpg. Try again.")
  await waitFor(() => expect(tiles()).toEqual(['photo-1.jpgReadyDelete']))
})

test('When there are more files, then Show more lists them', async () => {
  let hasMore = true
  stubApi({
    [LIST]: () => ({
      body: hasMore ? { uploads: [upload(2)], nextCursor: 'x' } : { uploads: [upload(2), upload(1)] },
    }),
  })
  const user = open()
  const showMore = await screen.findByRole('button', { name: 'Show more' })
  hasMore = false
  await user.click(showMore)
  await screen.findByAltText('photo-1.jpg')
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your photos' }))
})

test('When loading fails, then the section says so, and Retry loads it', async () => {
  let status = 503
  stubApi({
    [LIST]: () =>
      status === 200
        ? { body: { uploads: [upload(1)] } }
        : { status, body: { message: 'Busy', code: 'busy' } },
  })
  const user = open()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText("Couldn't load your photos.")).toBeTruthy()
  status = 200
  await user.click(retry)
  await screen.findByAltText('photo-1.jpg')
})

/** An upload whose picture can be opened. */
const photo = (number: number, changes: Partial<GuestUpload> = {}): GuestUpload =>
  upload(number, {
    width: 400,
    height: 300,
    previewUrl: `http://blob.test/${number}/preview.webp`,
    ...changes,
  })
const viewer = () => within(screen.getByRole('dialog'))

test('When a photo is opened, then it is shown in a large size, with its state, and keys lead to the others that have a picture', async () => {
  stubServer([
    photo(4, { visibility: 'pending' }),
    upload(3, { status: 'processing', thumbnailUrl: undefined }),
    photo(1),
  ])
  const press = openAndPress()
  await press('photo-4.jpg')
  await screen.findByRole('dialog', { name: 'photo-4.jpg' })
  expect(viewer().getByText('1 of 2')).toBeTruthy()
  expect(viewer().getByText('Waiting for approval')).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'ArrowRight' })
  expect(viewer().getByAltText('photo-1.jpg').getAttribute('src')).toBe(photo(1).previewUrl)
  await press('Close')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'photo-1.jpg' }))
})

test('When a photo is deleted in its large view, then it can be undone there and in the grid', async () => {
  const { requestsTo } = stubServer([photo(2), photo(1)])
  const press = openAndPress()
  const pressInViewer = async (name: string): Promise<void> => {
    fireEvent.click(viewer().getByRole('button', { name }))
    await advance(0)
  }
  await press('photo-2.jpg')
  await screen.findByRole('dialog')
  viewer().getByRole('button', { name: 'Delete photo-2.jpg' }).focus()
  await pressInViewer('Delete photo-2.jpg')
  expect(requestsTo(deletionOf(2))).toHaveLength(1)
  expect(document.activeElement?.textContent).toBe('Undo')
  expect(viewer().getByText(DELETED)).toBeTruthy()
  expect(viewer().queryByAltText('photo-2.jpg')).toBeNull()
  expect(viewer().getByText('1 of 2')).toBeTruthy()
  await pressInViewer('Undo deleting photo-2.jpg')
  expect(viewer().getByAltText('photo-2.jpg')).toBeTruthy()

  await pressInViewer('Delete photo-2.jpg')
  await pressInViewer('Close')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo deleting photo-2.jpg' }))
  await press('Undo deleting photo-2.jpg')
  await waitFor(() => expect(tiles()).toEqual(['photo-2.jpgReadyDelete', 'photo-1.jpgReadyDelete']))
})

test('When a deleted photo is looked at until its deletion cannot be undone, then the large view says so', async () => {
  stubServer([photo(1)])
  const press = openAndPress()
  await press('photo-1.jpg')
  await screen.findByRole('dialog')
  fireEvent.click(viewer().getByRole('button', { name: 'Delete photo-1.jpg' }))
  await advance(30_000)
  expect(
    viewer().getByText('photo-1.jpg has been deleted. It is too late to undo this.', { selector: 'p' }),
  ).toBeTruthy()
  await press('Close')
  expect(screen.queryByRole('heading', { name: 'Your photos' })).toBeNull()
})

const RENAME = 'PATCH /api/guest/uploads'
const changeName = async (user: ReturnType<typeof open>, name: string): Promise<void> => {
  await user.click(await screen.findByRole('button', { name: 'Change name' }))
  const field = screen.getByLabelText('Your Name (Photo Credit)')
  expect(document.activeElement).toBe(field)
  await user.clear(field)
  if (name) await user.type(field, name)
  await user.keyboard('{Enter}')
}

test('When a guest corrects the name, then it is sent, shown and remembered, and the focus is on the button again', async () => {
  let photoCredit = 'Uncel Bo'
  const { requestsTo } = stubApi({
    [LIST]: () => ({ body: { uploads: [upload(1, { photoCredit })] } }),
    [RENAME]: (body) => {
      photoCredit = (body as { photoCredit: string }).photoCredit
      return { body: { message: 'Uploads renamed successfully', renamed: 1 } }
    },
  })
  const user = open()
  expect(await screen.findByText('Sent as Uncel Bo')).toBeTruthy()
  await changeName(user, ' Uncle Bo ')
  expect(await screen.findByText('Your photos now have the name Uncle Bo.')).toBeTruthy()
  expect(screen.getByText('Sent as Uncle Bo')).toBeTruthy()
  expect(requestsTo(RENAME).map(({ body }) => body)).toEqual([{ eventId: EVENT_ID, photoCredit: 'Uncle Bo' }])
  expect(localStorage.getItem('photoCredit')).toBe('Uncle Bo')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change name' }))
  await waitFor(() => expect(requestsTo(LIST)).toHaveLength(2))
})

test('When a name is blank, or the server does not answer, then the guest is told, and the name stays', async () => {
  const { requestsTo } = stubApi({
    [LIST]: () => ({ body: { uploads: [upload(1)] } }),
    [RENAME]: () => ({ status: 503, body: { error: 'busy', code: 'unavailable' } }),
  })
  const user = open()
  await changeName(user, '')
  expect(screen.getByLabelText('Your Name (Photo Credit)').getAttribute('aria-invalid')).toBe('true')
  expect(requestsTo(RENAME)).toHaveLength(0)
  await user.type(screen.getByLabelText('Your Name (Photo Credit)'), 'Anna{Enter}')
  expect(await screen.findByRole('alert')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.getByText('Sent as Table 4')).toBeTruthy()
})

test('When files are being sent, then the name waits for them', async () => {
  stubApi({ [LIST]: () => ({ body: { uploads: [upload(1)] } }) })
  renderPage(`/upload?eventId=${EVENT_ID}`, () => (
    <OwnUploads eventId={EVENT_ID} hasGallery sentCount={0} isSending />
  ))
  expect(await screen.findByRole('button', { name: 'Change name' })).toHaveProperty('disabled', true)
})
