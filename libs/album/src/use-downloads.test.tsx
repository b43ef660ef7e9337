/** @jest-environment jsdom */
import { Blob as NodeBlob } from 'node:buffer'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { Toaster } from '@confetti/ui/toaster'
import { someUploads } from '../test/some-upload.ts'
import { DownloadAll, DownloadProgress } from './downloads.tsx'
import { useDownloads } from './use-downloads.tsx'

const DONE = { title: 'All Downloads Complete', message: 'All files have been downloaded.' }

let saved: string[]
let broken: Set<string>

beforeEach(() => {
  saved = []
  broken = new Set()
  globalThis.Blob = NodeBlob as typeof Blob
  globalThis.fetch = ((url: string) =>
    Promise.resolve({
      ok: !broken.has(url),
      status: broken.has(url) ? 404 : 200,
      statusText: 'Not Found',
      headers: new Map(),
      body: new NodeBlob([url]).stream(),
    })) as unknown as typeof fetch
  URL.createObjectURL = () => 'blob:here'
  URL.revokeObjectURL = () => undefined
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const Downloading = ({ list }: { list: () => Promise<readonly Upload[]> }) => {
  const downloads = useDownloads({ eventId: 'party', list, none: 'No files to download.', done: DONE })
  return (
    <>
      <DownloadAll label="Download All" busyLabel="Downloading..." batchSize={10} downloads={downloads} />
      <DownloadProgress downloads={downloads} batchSize={10} />
    </>
  )
}

const show = (list: () => Promise<readonly Upload[]>) =>
  render(
    <>
      <Toaster />
      <Downloading list={list} />
    </>,
  )
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const toast = (text: string) =>
  waitFor(() => expect(within(screen.getByRole('region')).getByText(text)).toBeTruthy(), { timeout: 5_000 })

test('When all is downloaded, then each step is told, and each batch has its bar', async () => {
  show(() => Promise.resolve(someUploads(12)))
  await press('Download All')
  await toast('Please wait while files are prepared.')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Downloading...' })
  expect(button.disabled).toBe(true)
  await toast('Batch 1 of 2')
  await toast('Batch 2 of 2')
  await toast('All files have been downloaded.')
  expect(saved).toEqual(['Event_party_Batch1.zip', 'Event_party_Batch2.zip'])
  for (const name of ['Batch 1', 'Batch 2'])
    expect(screen.getByRole('progressbar', { name }).getAttribute('aria-valuenow')).toBe('100')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download All' }).disabled).toBe(false)
})

test('When there is nothing to download, then that is said, and nothing is saved', async () => {
  show(() => Promise.resolve([]))
  await press('Download All')
  await toast('No files to download.')
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(saved).toEqual([])
})

test('When files fail, then they are named, and can be tried again into a zip of their own', async () => {
  const uploads = someUploads(3)
  const [, missing] = uploads
  if (!missing) throw new Error('no uploads')
  broken.add(missing.url)
  show(() => Promise.resolve(uploads))
  await press('Download All')
  await toast('1 of 3 files are missing. The page names them.')
  expect(screen.getByText(`${missing.originalName} (from Table 4)`)).toBeTruthy()

  broken.clear()
  await press('Try these again')
  await toast('All files have been downloaded.')
  expect(saved).toEqual(['Event_party_Batch1.zip', 'Event_party_Batch2.zip'])
  expect(screen.queryByRole('button', { name: 'Try these again' })).toBeNull()
})

test('When the list cannot be had, then that is said, and one can start again', async () => {
  show(() => Promise.reject(new Error('The server is busy.')))
  await press('Download All')
  await toast('The server is busy.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download All' }).disabled).toBe(false)
})

test('When one leaves while it downloads, then it stops, which is told', async () => {
  let listed: (uploads: readonly Upload[]) => void = () => undefined
  const { rerender } = show(
    () =>
      new Promise((resolve) => {
        listed = resolve
      }),
  )
  await press('Download All')
  rerender(<Toaster />)
  await toast('Download stopped')
  await act(async () => {
    listed(someUploads(2))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  expect(saved).toEqual([])
})

test('When one stops it, then nothing more comes, and one can start again', async () => {
  show(() => Promise.resolve(someUploads(30)))
  await press('Download All')
  await toast('Batch 1 of 3')
  await press('Stop')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Download All' }).disabled).toBe(false)
  expect(screen.queryByRole('progressbar')).toBeNull()
})
