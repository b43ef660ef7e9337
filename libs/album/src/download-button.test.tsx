/** @jest-environment jsdom */
import { Blob as NodeBlob } from 'node:buffer'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Upload } from '@confetti/contracts'
import { Toaster } from '@confetti/ui/toaster'
import { relinked, someUpload } from '../test/some-upload.ts'
import { DownloadButton } from './download-button.tsx'

const upload = someUpload(1)
let saved: string[]
let asked: string[]

const answers = (answer: (url: string) => { status: number; statusText?: string }): void => {
  globalThis.fetch = ((url: string) => {
    asked.push(url)
    const { status, statusText = '' } = answer(url)
    const body = new NodeBlob([url]).stream()
    return Promise.resolve({ ok: status === 200, status, statusText, headers: new Map(), body })
  }) as unknown as typeof fetch
}

beforeEach(() => {
  saved = []
  asked = []
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

const press = async (refresh: () => Promise<readonly Upload[]> = () => Promise.resolve([])) => {
  render(
    <>
      <Toaster />
      <DownloadButton upload={upload} refresh={refresh} />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Download photo-1.jpg' }))
}

test('When one file is downloaded, then it has the name it came with', async () => {
  answers(() => ({ status: 200 }))
  await press()
  await waitFor(() => expect(saved).toEqual(['photo-1.jpg']))
})

test('When it cannot be fetched, then the status is told', async () => {
  answers(() => ({ status: 404, statusText: 'Not Found' }))
  await press()
  expect(await screen.findByText('Download Failed')).toBeTruthy()
  expect(screen.getByText('Failed to fetch file: Not Found')).toBeTruthy()
  expect(saved).toEqual([])
})

test('When there is no room for it, then that is told, and not called a lost connection', async () => {
  globalThis.fetch = () => Promise.reject(new RangeError('Array buffer allocation failed'))
  await press()
  expect(await screen.findByText('There was not enough memory for photo-1.jpg.')).toBeTruthy()
  expect(saved).toEqual([])
})

test('When its link has expired, then it comes with a fresh one', async () => {
  answers((url) => ({ status: url === upload.url ? 403 : 200 }))
  await press(() => Promise.resolve(relinked([upload])))
  await waitFor(() => expect(saved).toEqual(['photo-1.jpg']))
  expect(asked).toEqual([upload.url, `${upload.url}?fresh`])
})
