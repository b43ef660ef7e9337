import { Blob as NodeBlob } from 'node:buffer'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { withFreshLinks, uploadFixture } from '../test/upload-fixture.ts'
import { DownloadButton } from './download-control.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const upload = uploadFixture(1)
let saved: string[]
let requestedUrls: string[]

const stubStorage = (respond: (url: string) => { status: number; statusText?: string }): void => {
  globalThis.fetch = ((url: string) => {
    requestedUrls.push(url)
    const { status, statusText = '' } = respond(url)
    const body = new NodeBlob([url]).stream()
    return Promise.resolve({ ok: status === 200, status, statusText, headers: new Map(), body })
  }) as unknown as typeof fetch
}

beforeEach(() => {
  saved = []
  requestedUrls = []
  globalThis.Blob = NodeBlob as typeof Blob
  URL.createObjectURL = () => 'blob:here'
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const clickDownload = async (refresh: () => Promise<readonly Upload[]> = () => Promise.resolve([])) => {
  render(
    <>
      <Toaster />
      <DownloadButton upload={upload} refresh={refresh} />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Download photo-1.jpg' }))
}

test('When a file is downloaded, then it has its original name', async () => {
  stubStorage(() => ({ status: 200 }))
  await clickDownload()
  await waitFor(() => expect(saved).toEqual(['photo-1.jpg']))
})

test('When a file cannot be fetched, then a notice shows the status', async () => {
  stubStorage(() => ({ status: 404, statusText: 'Not Found' }))
  await clickDownload()
  expect(await screen.findByText('Download Failed')).toBeTruthy()
  expect(screen.getByText('Failed to fetch file: Not Found')).toBeTruthy()
  expect(saved).toEqual([])
})

test('When memory runs out, then the notice says so, instead of blaming the connection', async () => {
  globalThis.fetch = () => Promise.reject(new RangeError('Array buffer allocation failed'))
  await clickDownload()
  expect(await screen.findByText('There was not enough memory for photo-1.jpg.')).toBeTruthy()
  expect(saved).toEqual([])
})

test('When the link has expired, then the file is fetched with a fresh one', async () => {
  stubStorage((url) => ({ status: url === upload.url ? 403 : 200 }))
  await clickDownload(() => Promise.resolve(withFreshLinks([upload])))
  await waitFor(() => expect(saved).toEqual(['photo-1.jpg']))
  expect(requestedUrls).toEqual([upload.url, `${upload.url}?fresh`])
})
