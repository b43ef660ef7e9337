import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { canShareFiles, useSharing } from './use-sharing.ts'

const share = jest.fn<(data: ShareData) => Promise<void>>()
const saved: string[] = []
let isPhone = true

// jsdom has no streams.
const oneChunk = (text: string) => {
  const chunks = [new TextEncoder().encode(text)]
  return { getReader: () => ({ read: () => Promise.resolve({ value: chunks.pop() }) }) }
}
const answer = (response: object): void => {
  globalThis.fetch = jest.fn(() => Promise.resolve(response)) as never
}

beforeEach(() => {
  isPhone = true
  saved.length = 0
  share.mockReset().mockResolvedValue(undefined)
  Object.assign(navigator, { share, canShare: () => true })
  window.matchMedia = ((query: string) => ({ matches: isPhone && query.includes('coarse') })) as never
  onFailed.mockReset()
  answer({ ok: true, body: oneChunk('a photo') })
  URL.createObjectURL = () => 'blob:photo'
  URL.revokeObjectURL = () => undefined
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    saved.push(this.download)
  }
})
afterEach(cleanup)

const files = [{ url: 'http://blobs.test/copy.jpg', name: 'Aunt Marta.jpg', type: 'image/jpeg' }]
const onFailed = jest.fn<(error: unknown) => void>()
const Sharing = () => {
  const { isBusy, isReady, start } = useSharing(onFailed)
  return <button onClick={() => start(files)}>{isBusy ? 'Loading' : isReady ? 'Share now' : 'Share'}</button>
}
const tap = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const errorNamed = (name: string) => Object.assign(new Error('No.'), { name })

test('When a photo is shared on a phone, then the share sheet gets it as a file', async () => {
  render(<Sharing />)
  await tap('Share')
  await screen.findByRole('button', { name: 'Share' })
  const [shared] = share.mock.calls[0]?.[0].files ?? []
  expect([shared?.name, shared?.type, shared?.size]).toEqual(['Aunt Marta.jpg', 'image/jpeg', 7])
  expect(saved).toEqual([])
})

test('When the download took longer than a tap counts, then another tap shares what has been loaded', async () => {
  share.mockRejectedValueOnce(errorNamed('NotAllowedError'))
  render(<Sharing />)
  await tap('Share')
  await tap((await screen.findByRole('button', { name: 'Share now' })).textContent)
  await screen.findByRole('button', { name: 'Share' })
  expect(share).toHaveBeenCalledTimes(2)
  expect(fetch).toHaveBeenCalledTimes(1)
})

test('When the guest closes the share sheet, then nothing has failed', async () => {
  share.mockRejectedValueOnce(errorNamed('AbortError'))
  render(<Sharing />)
  await tap('Share')
  await screen.findByRole('button', { name: 'Share' })
  expect(onFailed).not.toHaveBeenCalled()
})

test.each([
  ['it is no phone', () => (isPhone = false)],
  ['the browser has no share sheet', () => Object.assign(navigator, { canShare: undefined })],
])('When %s, then the photo is saved to the downloads', async (_, prepare) => {
  prepare()
  expect(canShareFiles()).toBe(false)
  render(<Sharing />)
  await tap('Share')
  await screen.findByRole('button', { name: 'Share' })
  expect(saved).toEqual(['Aunt Marta.jpg'])
  expect(share).not.toHaveBeenCalled()
})

test('When the photo cannot be loaded, then that is told', async () => {
  answer({ ok: false, status: 403, statusText: 'Forbidden' })
  render(<Sharing />)
  await tap('Share')
  await screen.findByRole('button', { name: 'Share' })
  expect(onFailed).toHaveBeenCalledTimes(1)
})
