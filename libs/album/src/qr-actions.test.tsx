import { expect, test } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { uiCatalogue } from '@confetti/ui/texts'
import { Toaster } from '@confetti/ui/toaster'
import { QrActions } from './qr-actions.tsx'
import { albumCatalogue } from './texts.ts'

await loadCatalogues([albumCatalogue, uiCatalogue])

const uploadLink = 'https://confetti.test/upload?eventId=66aa00000000000000000001'
const shortLink = 'https://confetti.test/e/7F3K-9QXM'

test('When an event has a short code, then it is shown with its link, and both can be copied', async () => {
  render(
    <>
      <QrActions
        name="Garden wedding"
        link={uploadLink}
        image={undefined}
        shortCode="7F3K9QXM"
        shortLink={shortLink}
      />
      <Toaster />
    </>,
  )
  const user = userEvent.setup()
  expect(screen.getByText('7F3K-9QXM').closest('dd')).toBeTruthy()
  expect(screen.getByText('confetti.test/e/7F3K-9QXM').closest('dd')).toBeTruthy()
  screen.getByText('Guests who cannot scan the QR code type this one on confetti.test.')
  await user.click(screen.getByRole('button', { name: 'Copy code' }))
  await screen.findByText('Code copied')
  expect(await navigator.clipboard.readText()).toBe('7F3K-9QXM')
  await user.click(screen.getByRole('button', { name: 'Copy short link' }))
  await screen.findByText('Link copied')
  expect(await navigator.clipboard.readText()).toBe(shortLink)
})

test('When an event of an earlier version has no code yet, then only its link can be copied', () => {
  render(<QrActions name="Garden wedding" link={uploadLink} image={undefined} />)
  screen.getByRole('button', { name: 'Copy link' })
  expect(screen.queryByRole('button', { name: 'Copy code' })).toBeNull()
})
