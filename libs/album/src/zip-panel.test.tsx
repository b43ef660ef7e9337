import { Blob as NodeBlob } from 'node:buffer'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { uploadFixtures } from '../test/upload-fixture.ts'
import { albumCatalogue } from './texts.ts'
import { useZipDownload } from './use-zip-download.ts'
import { ZipControl } from './zip-panel.tsx'

await loadCatalogues([albumCatalogue, uiCatalogue])

const DONE_NOTICE = { title: 'All Downloads Complete', message: 'All files have been downloaded.' }

let saved: string[]
let missingUrls: Set<string>

beforeEach(() => {
  saved = []
  missingUrls = new Set()
  globalThis.Blob = NodeBlob as typeof Blob
  globalThis.fetch = ((url: string) =>
    Promise.resolve({
      ok: !missingUrls.has(url),
      status: missingUrls.has(url) ? 404 : 200,
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

const Downloading = ({ listUploads }: { listUploads: () => Promise<readonly Upload[]> }) => {
  const download = useZipDownload({
    eventId: 'party',
    listUploads,
    emptyMessage: 'No files to download.',
    doneNotice: DONE_NOTICE,
  })
  return <ZipControl label="Download All" busyLabel="Downloading..." batchSize={10} download={download} />
}

const show = (listUploads: () => Promise<readonly Upload[]>) =>
  render(
    <>
      <Toaster />
      <Downloading listUploads={listUploads} />
    </>,
  )
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const toast = (text: string) =>
  waitFor(() => expect(within(screen.getByRole('region')).getByText(text)).toBeTruthy())

test('When all is downloaded, then a notice shows each step, and each batch has a progress bar', async () => {
  show(() => Promise.resolve(uploadFixtures(12)))
  await press('Download All')
  await toast('Please wait while files are prepared.')
  const button = screen.getByRole('button', { name: 'Downloading...' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button)
  await toast('Batch 1 of 2')
  await toast('Batch 2 of 2')
  await toast('All files have been downloaded.')
  expect(saved).toEqual(['Event_party_Batch1.zip', 'Event_party_Batch2.zip'])
  for (const name of ['Batch 1', 'Batch 2'])
    expect(screen.getByRole('progressbar', { name }).getAttribute('aria-valuenow')).toBe('100')
  const again = screen.getByRole('button', { name: 'Download All' })
  expect(again.getAttribute('aria-disabled')).toBe('false')
  await userEvent.click(screen.getByText('Close'))
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(document.activeElement).toBe(again)
})

test('When there is nothing to download, then a notice says so, and nothing is saved', async () => {
  show(() => Promise.resolve([]))
  await press('Download All')
  await toast('No files to download.')
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(saved).toEqual([])
})

test('When files fail, then they are listed, and a retry saves them in a zip of their own', async () => {
  const uploads = uploadFixtures(3)
  const [, missing] = uploads
  if (!missing) throw new Error('no uploads')
  missingUrls.add(missing.url)
  show(() => Promise.resolve(uploads))
  await press('Download All')
  await toast('1 of 3 files are missing. They are listed below.')
  expect(screen.getByText(`${missing.originalName} (from Table 4)`)).toBeTruthy()

  missingUrls.clear()
  await press('Try again')
  expect(document.activeElement).not.toBe(document.body)
  await toast('All files have been downloaded.')
  expect(saved).toEqual(['Event_party_Batch1.zip', 'Event_party_Batch2.zip'])
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('When the list fails to load, then a notice says so, and the download can be started again', async () => {
  show(() => Promise.reject(new Error('The server is busy.')))
  await press('Download All')
  await toast('The server is busy.')
  expect(screen.getByRole('button', { name: 'Download All' }).getAttribute('aria-disabled')).toBe('false')
})

test('When the page is left during a download, then the download stops with a notice', async () => {
  let resolveList: (uploads: readonly Upload[]) => void = () => undefined
  const { rerender } = show(
    () =>
      new Promise((resolve) => {
        resolveList = resolve
      }),
  )
  await press('Download All')
  rerender(<Toaster />)
  await toast('Download stopped')
  await act(async () => {
    resolveList(uploadFixtures(2))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  expect(saved).toEqual([])
})

test('When a download is stopped, then its progress disappears, and it can be started again', async () => {
  show(() => Promise.resolve(uploadFixtures(30)))
  const send = globalThis.fetch
  globalThis.fetch = ((url: string) =>
    saved.length > 0 ? new Promise(() => undefined) : send(url)) as typeof fetch
  await press('Download All')
  await toast('Batch 1 of 3')
  await press('Stop')
  const button = screen.getByRole('button', { name: 'Download All' })
  expect(button.getAttribute('aria-disabled')).toBe('false')
  expect(document.activeElement).toBe(button)
  expect(screen.queryByRole('progressbar')).toBeNull()
})
