import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import { BrowserRouter } from '@confetti/federation/router'
import { loadCatalogues } from '@confetti/i18n'
import { initSession } from '@confetti/session'
import { guestCatalogues } from '../texts.ts'
import { loadPrivacy } from './privacy.tsx'

await loadCatalogues(guestCatalogues)
const Privacy = await loadPrivacy()

const event = {
  _id: 'a'.repeat(24),
  name: 'Harbour summer fair',
  description: '',
  startDate: '2027-06-12',
  endDate: '2027-06-14',
  uploadsOpen: true,
  uploadsCloseAt: '2027-07-15T00:00:00.000Z',
  timeZone: 'UTC',
  limits: { maxFileBytes: 1, types: [] },
}

const open = (changes: object, privacyNotice?: string) => {
  const body = JSON.stringify({ ...event, ...changes })
  const response = { ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(body) }
  globalThis.fetch = () => Promise.resolve(response as Response)
  initSession({ brand: 'Confetti', apiUrl: 'http://localhost:3001', privacyNotice })
  history.pushState(null, '', `/privacy?eventId=${event._id}`)
  render(
    <BrowserRouter>
      <Privacy />
    </BrowserRouter>,
  )
}
beforeEach(() => localStorage.clear())
afterEach(cleanup)

test('When an event has all texts, then its page says who is responsible, how long what is kept, and how to delete it', async () => {
  const consent = { text: 'You may show my photos.', url: 'https://example.org/terms', version: '1' }
  const deleteAt = '2027-08-02T00:00:00.000Z'
  open({ responsible: 'Ann, +43 1 234', consent, deleteAt }, 'Servers are in Austria.')
  await screen.findByText('Ann, +43 1 234')
  screen.getByText(consent.text)
  expect(screen.getByText('Read the terms').getAttribute('href')).toBe(consent.url)
  screen.getByText(/Photos and videos are kept until .*August/)
  screen.getByText('Servers are in Austria.')
  expect(screen.getByText('Your photos').getAttribute('href')).toBe(`/upload?eventId=${event._id}`)
})

test('When an event has none of them, then its page says what is true of each event', async () => {
  open({})
  await screen.findByText('The hosts of this event. Ask them if you have questions.')
  screen.getByText('They are kept until the organisers delete them.')
  expect(screen.queryByText('From the operator of this site')).toBeNull()
  expect(screen.queryByText('What guests agree to')).toBeNull()
})
