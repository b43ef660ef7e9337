import { createHash } from 'node:crypto'
import { dark, escapeHtml, light, type Site } from './layout.ts'
import type { Texts } from './texts.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
body { margin: 0; padding: 24px 16px; background: light-dark(${light.page}, ${dark.page}); color: light-dark(${light.text}, ${dark.text}); }
main { max-width: 32em; margin: 0 auto; padding: 28px 24px; border-radius: 16px; background: light-dark(${light.card}, ${dark.card}); }
h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; }
button { min-height: 48px; padding: 12px 22px; border: 0; border-radius: 12px; background: light-dark(${light.button}, ${dark.button}); color: light-dark(${light.onButton}, ${dark.onButton}); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`

// The token stays in the address: nothing of the request is part of the page. The texts are attributes, so that the hash
// of the script is the same in all languages.
const script = `
const button = document.querySelector('button')
const status = document.querySelector('[role=status]')
const { done, badLink, failed } = status.dataset
button.addEventListener('click', async () => {
  button.disabled = true
  status.textContent = ''
  try {
    const response = await fetch(location.href, { method: 'POST' })
    button.hidden = response.ok
    button.disabled = response.ok
    status.textContent = response.ok ? done : response.status === 400 ? badLink : failed
  } catch {
    status.textContent = failed
    button.disabled = false
  }
})
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Allows the page its own style and script, and requests to its own address. */
export const unsubscribePagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Asks first: programs that check mails for malware open all links. */
export const renderUnsubscribePage = (
  { brand }: Pick<Site, 'brand'>,
  { t, locale, direction }: Texts,
): string => {
  const text: Texts['t'] = (id) => escapeHtml(t(id))
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${text('unsubscribePage.title')} - ${escapeHtml(brand)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${text('unsubscribePage.heading')}</h1>
<p>${text('unsubscribePage.text')}</p>
<p><button type="button">${text('unsubscribePage.action')}</button></p>
<p role="status" data-done="${text('unsubscribePage.done')}" data-bad-link="${text('unsubscribePage.badLink')}" data-failed="${text('unsubscribePage.failed')}"></p>
<noscript><p>${text('unsubscribePage.noScript')}</p></noscript>
</main>
<script>${script}</script>
</body>
</html>
`
}
