import { beforeEach, expect, test } from '@jest/globals'
import { screen } from '@testing-library/react'
import { Landing } from '../../pages/landing.tsx'
import { closeToasts, renderPage, stubApi } from '../../test/harness.tsx'

const eventId = '6b03b0c58bddcb2b37aa5f39'
const found = { 'GET /api/codes/7F3K9QXM': () => ({ body: { eventId } }) }
const unknown = () => ({
  status: 404,
  body: { message: 'There is no event with this code.', code: 'code_not_found', requestId: 'r' },
})

beforeEach(closeToasts)

const field = () => screen.getByRole('textbox', { name: 'Enter your code' })
const errorOf = (): string | undefined => {
  const input = field()
  if (!input.hasAttribute('aria-invalid')) return undefined
  return document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent
}

test('When a code is typed in small letters and sent by Enter, then the upload page of its event opens', async () => {
  stubApi(found)
  const user = renderPage('/', Landing)
  await user.type(field(), '7f3k 9qxm{Enter}')
  await screen.findByText('Another page')
  expect(`${location.pathname}${location.search}`).toBe(`/upload?eventId=${eventId}`)
})

test.each([
  ['https://confetti.test/e/7F3K-9QXM#key', `/upload?eventId=${eventId}#key`],
  [`https://confetti.test/upload?eventId=${eventId}#key`, `/upload?eventId=${eventId}#key`],
])('When %s is pasted, then the upload page opens with its fragment', async (link, address) => {
  stubApi(found)
  const user = renderPage('/', Landing)
  await user.click(field())
  await user.paste(link)
  await user.click(screen.getByRole('button', { name: 'Open event' }))
  await screen.findByText('Another page')
  expect(`${location.pathname}${location.search}${location.hash}`).toBe(address)
})

test('When no event has the code, then the field says so, has the focus, and says it no more once it changes', async () => {
  stubApi({ 'GET /api/codes/22222222': unknown })
  const user = renderPage('/', Landing)
  await user.type(field(), '2222-2222{Enter}')
  await screen.findByText(/^There is no event with this code/)
  expect(document.activeElement).toBe(field())
  expect(errorOf()).toBe('There is no event with this code. Please check it, or ask your hosts.')
  await user.type(field(), '3')
  expect(errorOf()).toBeUndefined()
})

test.each([
  ['{Enter}', 'Please enter the code of the event.'],
  ['wedding{Enter}', 'This is neither a code, such as 7F3K-9QXM, nor the link to an event.'],
])('When %s is typed, then the field says what is wrong, and nothing is sent', async (keys, message) => {
  const { calls } = stubApi({})
  const user = renderPage('/', Landing)
  await user.type(field(), keys)
  expect(errorOf()).toBe(message)
  expect(calls).toEqual([])
})

test('When too many codes were tried, then a notice says so, and what was typed stays', async () => {
  const body = { message: 'Too many requests.', code: 'too_many_requests', requestId: 'r' }
  stubApi({ 'GET /api/codes/7F3K9QXM': () => ({ status: 429, body }) })
  const user = renderPage('/', Landing)
  await user.type(field(), '7F3K-9QXM{Enter}')
  await screen.findByText('Too many requests.')
  expect((field() as HTMLInputElement).value).toBe('7F3K-9QXM')
})

test('When a short link leads to no event, then the page has its code and says so', () => {
  stubApi({})
  renderPage('/?code=7F3K-9QXX', Landing)
  expect((field() as HTMLInputElement).value).toBe('7F3K-9QXX')
  expect(errorOf()).toMatch(/^There is no event with this code/)
})
