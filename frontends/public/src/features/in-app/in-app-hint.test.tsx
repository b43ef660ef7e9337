import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { loadCatalogues } from '@confetti/i18n'
import { guestCatalogues } from '../../texts.ts'
import { dropLinkKey } from '../pin/link-key.ts'
import { findApp } from './find-app.ts'
import { loadInAppHint } from './in-app-hint.tsx'

await loadCatalogues(guestCatalogues)
const { default: InAppHint } = await loadInAppHint()
beforeEach(() => localStorage.clear())
afterEach(cleanup)

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    'Instagram',
    `${iPhone} Mobile/15E148 Instagram 390.0.0.21.81 (iPhone14,5; iOS 18_6; de_DE; de; scale=3.00)`,
  ],
  [
    'Instagram',
    `${android} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 361.0.0.46.88 Android`,
  ],
  ['Facebook', `${iPhone} Mobile/15E148 [FBAN/FBIOS;FBAV/490.0.0.33.109;FBBV/664;FBDV/iPhone14,5]`],
  ['Facebook', `${android} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.0;]`],
  ['TikTok', `${iPhone} Mobile/15E148 musical_ly_38.6.0 JsSdk/2.0 NetType/WIFI Channel/App Store`],
  [
    'TikTok',
    `${android} Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 trill_380603 BytedanceWebview/d8a21c6`,
  ],
  ['WeChat', `${iPhone} Mobile/15E148 MicroMessenger/8.0.54(0x18003630) NetType/WIFI Language/zh_CN`],
  ['LINE', `${iPhone} Mobile/15E148 Safari Line/15.12.1`],
  [undefined, `${iPhone} Version/18.6 Mobile/15E148 Safari/604.1`],
  [undefined, `${iPhone} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  [undefined, `${android} Chrome/131.0.0.0 Mobile Safari/537.36`],
  [undefined, `${android} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`],
])('The app %s is found by the user agent %s', (app, userAgent) => {
  expect(findApp(userAgent)).toBe(app)
})

test('When the page is in the browser of an app, then the hint copies the link, with its fragment', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '/upload?eventId=1#key')
  render(<InAppHint app="Instagram" />)
  screen.getByText(/can fail inside Instagram/)
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByText('Link copied')
  expect(await navigator.clipboard.readText()).toBe(location.href)
  expect(location.href).toMatch(/#key$/)
})

test('When the key of the link has left the address, then the hint copies it all the same, as the other browser needs it', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '/upload?eventId=1#key=abc')
  const { href } = location
  dropLinkKey()
  expect(location.hash).toBe('')
  render(<InAppHint app="Instagram" />)
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByText('Link copied')
  expect(await navigator.clipboard.readText()).toBe(href)
})

test('When the browser does not allow copying, then the hint shows the link to select', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '/upload?eventId=2')
  navigator.clipboard.writeText = () => Promise.reject(new DOMException('Not allowed', 'NotAllowedError'))
  render(<InAppHint app="Facebook" />)
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByText("Copying isn't allowed here. Select the link and copy it.")
  screen.getByText(location.href)
})

test('When the guest has closed the hint, then it stays closed', async () => {
  const { unmount } = render(<InAppHint app="LINE" />)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region')).toBeNull()
  unmount()
  render(<InAppHint app="LINE" />)
  expect(screen.queryByRole('region')).toBeNull()
})
