import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ApiError } from '@confetti/api-client'
import { MB, type Archive } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { ArchiveDownload, type CreateArchive } from './archive-download.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const LABEL = 'Download everything: 1,234 files, 5.6 GB'
const total = { files: 1_234, bytes: 5.6 * 1_024 * MB }
const archive: Archive = {
  url: 'http://api.test/api/archives/token/Event_party.zip',
  filename: 'Event_party.zip',
  files: 1_234,
  bytes: total.bytes,
  expiresAt: '2027-06-13T20:00:00.000Z',
}
const preparing = (message: string): ApiError =>
  new ApiError(503, { code: 'archive_preparing', message }, 2_000)
const lostConnection = new ApiError(0, { code: 'network_error', message: 'The connection was lost.' })

/** How the server answers a check of the link: the last answer is repeated. */
type LinkAnswer = [status: number, code?: string, message?: string]

const stubLinkChecks = (...answers: LinkAnswer[]) => {
  const checks = jest.fn<typeof fetch>((input) => {
    expect(input).toBe(archive.url)
    const [status, code, message] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [206]
    return Promise.resolve({
      ok: status < 300,
      status,
      headers: new Map([['Retry-After', '10']]),
      text: () => Promise.resolve(status < 300 ? 'P' : JSON.stringify({ code, message })),
    } as unknown as Response)
  })
  globalThis.fetch = checks
  return checks
}
const tooManyDownloads: LinkAnswer = [503, 'unavailable', 'Too many downloads are running.']

let opened: { href: string; download: string }[]
let createArchive: jest.MockedFunction<CreateArchive>

beforeEach(() => {
  opened = []
  createArchive = jest.fn<CreateArchive>().mockResolvedValue(archive)
  stubLinkChecks([206])
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    opened.push({ href: this.href, download: this.download })
  })
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
  jest.restoreAllMocks()
})

const show = () =>
  render(
    <>
      <Toaster />
      <ArchiveDownload createArchive={createArchive} total={total} />
    </>,
  )
const button = (name: string): HTMLElement => screen.getByRole('button', { name })
/** Downloads everything by the control, without a pause that fake timers would not end. */
const startDownload = (): void => {
  fireEvent.click(button('Download'))
  fireEvent.click(button(LABEL))
}
const clickDownload = async (choice: string): Promise<void> => {
  await userEvent.click(button('Download'))
  await userEvent.click(button(choice))
}
const toast = (text: string): HTMLElement => within(screen.getByRole('region')).getByText(text)

test('When everything is downloaded, then the browser gets the link, and a notice says what to do if it is interrupted', async () => {
  show()
  await clickDownload(LABEL)
  await waitFor(() => expect(opened).toEqual([{ href: archive.url, download: 'Event_party.zip' }]))
  expect(createArchive.mock.calls.map(([body]) => body)).toEqual([{ folders: 'none' }])
  expect(toast('Your download has started')).toBeTruthy()
  expect(toast("If it is interrupted, resume it in your browser's downloads.")).toBeTruthy()
  expect(button('Download').getAttribute('aria-disabled')).toBe('false')
})

test('When folders are chosen, then the archive has a folder for each guest', async () => {
  show()
  await userEvent.click(button('Download'))
  await userEvent.click(button('A folder for each guest'))
  await waitFor(() => expect(createArchive.mock.calls[0]?.[0]).toEqual({ folders: 'credit' }))
})

test('When the archive is being prepared, then the page shows the progress and asks again after Retry-After', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValueOnce(preparing('120 of 1,234 files are ready.'))
  createArchive.mockRejectedValueOnce(preparing('900 of 1,234 files are ready.'))
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(1_999))
  expect(button('Preparing...').getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText('120 of 1,234 files are ready.')).toBeTruthy()
  expect(createArchive).toHaveBeenCalledTimes(1)

  await act(() => jest.advanceTimersByTimeAsync(1))
  expect(screen.getByText('900 of 1,234 files are ready.')).toBeTruthy()
  expect(createArchive).toHaveBeenCalledTimes(2)
  expect(opened).toEqual([])

  await act(() => jest.advanceTimersByTimeAsync(2_000))
  expect(opened).toHaveLength(1)
  expect(screen.queryByText('900 of 1,234 files are ready.')).toBeNull()
  expect(button('Download')).toBeTruthy()
})

test('When the archive is being prepared, then nothing else can be downloaded until it is ready or cancelled', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValueOnce(preparing('120 of 1,234 files are ready.'))
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(0))
  fireEvent.click(button('Preparing...'))
  expect(screen.queryByRole('button', { name: LABEL })).toBeNull()
  fireEvent.click(button('Cancel'))
  fireEvent.click(button('Download'))
  expect(button(LABEL)).toBeTruthy()
})

test('When a request fails during the preparation, then the page asks again, and the progress stays', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValueOnce(preparing('120 of 1,234 files are ready.'))
  createArchive.mockRejectedValueOnce(lostConnection)
  createArchive.mockRejectedValueOnce(lostConnection)
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(2_000 + 5_000))
  expect(createArchive).toHaveBeenCalledTimes(3)
  expect(screen.getByText('120 of 1,234 files are ready.')).toBeTruthy()
  await act(() => jest.advanceTimersByTimeAsync(5_000))
  expect(opened).toHaveLength(1)
})

test('When ten requests in a row fail during the preparation, then a notice says so', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValueOnce(preparing('120 of 1,234 files are ready.'))
  createArchive.mockRejectedValueOnce(lostConnection)
  createArchive.mockRejectedValueOnce(preparing('900 of 1,234 files are ready.'))
  createArchive.mockRejectedValue(lostConnection)
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(2_000 + 5_000 + 2_000 + 9 * 5_000))
  expect(createArchive).toHaveBeenCalledTimes(13)
  expect(toast('The connection was lost.')).toBeTruthy()
  expect(button('Download')).toBeTruthy()
})

test('When a request fails for good during the preparation, then a notice says so at once', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValueOnce(preparing('120 of 1,234 files are ready.'))
  createArchive.mockRejectedValue(new ApiError(404, { code: 'event_not_found', message: 'Event not found.' }))
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(2_000))
  expect(toast('Event not found.')).toBeTruthy()
})

test('When the preparation is cancelled, then the page does not ask again, and the button has the focus', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValue(preparing('120 of 1,234 files are ready.'))
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(0))
  act(() => button('Cancel').focus())
  fireEvent.click(button('Cancel'))
  expect(document.activeElement).toBe(button('Download'))
  expect(toast('Download stopped')).toBeTruthy()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  expect(createArchive).toHaveBeenCalledTimes(1)
  expect(opened).toEqual([])
})

test('When the page is left during the preparation, then a notice says so, and the page does not ask again', async () => {
  jest.useFakeTimers()
  createArchive.mockRejectedValue(preparing('120 of 1,234 files are ready.'))
  const { rerender } = show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(0))
  rerender(<Toaster />)
  expect(toast('It had not started yet.')).toBeTruthy()
  await act(() => jest.advanceTimersByTimeAsync(60_000))
  expect(createArchive).toHaveBeenCalledTimes(1)
})

test('When the server is busy, then a notice says so, and the download can be started again', async () => {
  createArchive.mockRejectedValueOnce(
    new ApiError(503, { code: 'unavailable', message: 'Please try again.' }),
  )
  show()
  await clickDownload(LABEL)
  await waitFor(() => expect(toast('Please try again.')).toBeTruthy())
  expect(toast('Download Failed')).toBeTruthy()
  expect(opened).toEqual([])

  await clickDownload(LABEL)
  await waitFor(() => expect(opened).toHaveLength(1))
})

test('When the server refuses the download, then a notice shows its message, and the page stays', async () => {
  stubLinkChecks([410, 'archive_outdated', 'Some of these files have been deleted meanwhile.'], [206])
  show()
  await clickDownload(LABEL)
  await waitFor(() => expect(toast('Some of these files have been deleted meanwhile.')).toBeTruthy())
  expect(opened).toEqual([])

  await clickDownload(LABEL)
  await waitFor(() => expect(opened).toHaveLength(1))
})

test('When too many downloads are running, then the page checks again after Retry-After, until one has ended', async () => {
  jest.useFakeTimers()
  const checks = stubLinkChecks(tooManyDownloads, tooManyDownloads, [206])
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(9_999))
  expect(screen.getByText('The server is busy. Will retry automatically.')).toBeTruthy()
  expect(checks).toHaveBeenCalledTimes(1)
  await act(() => jest.advanceTimersByTimeAsync(10_001))
  expect(checks).toHaveBeenCalledTimes(3)
  expect(createArchive).toHaveBeenCalledTimes(1)
  expect(opened).toHaveLength(1)
})

test('When too many downloads are running at each check, then a notice shows the message of the server', async () => {
  jest.useFakeTimers()
  const checks = stubLinkChecks(tooManyDownloads)
  show()
  startDownload()
  await act(() => jest.advanceTimersByTimeAsync(5 * 10_000))
  expect(toast('Too many downloads are running.')).toBeTruthy()
  expect(checks).toHaveBeenCalledTimes(6)
  expect(opened).toEqual([])
  expect(button('Download')).toBeTruthy()
})

test('When the size is not known yet, then everything can be downloaded without it', async () => {
  render(<ArchiveDownload createArchive={createArchive} total={undefined} />)
  await clickDownload('Download everything')
  await waitFor(() => expect(opened).toHaveLength(1))
})

test('When single uploads can be selected, then the control offers it', async () => {
  const onSelect = jest.fn()
  render(<ArchiveDownload createArchive={createArchive} total={total} onSelect={onSelect} />)
  await clickDownload('Choose photos and videos')
  expect(onSelect).toHaveBeenCalledTimes(1)
  expect(createArchive).not.toHaveBeenCalled()
})

test('When there are no files, then there is nothing to download', () => {
  render(<ArchiveDownload createArchive={createArchive} total={{ files: 0, bytes: 0 }} />)
  expect(screen.queryByRole('button')).toBeNull()
})
