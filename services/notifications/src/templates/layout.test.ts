import { expect, test } from '@jest/globals'
import { renderLetter, toSubject } from './layout.ts'

const site = { brand: 'Confetti & Co <b>', shellUrl: 'https://photos.test/?a="b"' }
const hostile = `<script>alert("x")</script> & 'quotes'`

test('Every value is escaped in HTML and as it is in text', () => {
  const { html, text } = renderLetter(
    {
      subject: hostile,
      heading: hostile,
      paragraphs: [hostile],
      quote: hostile,
      action: { label: hostile, url: `https://photos.test/"onclick="alert(1)` },
      notes: [hostile],
      unsubscribeUrl: `https://photos.test/"><b>`,
    },
    site,
  )
  expect(html).not.toMatch(/<script|<b>|onclick="alert/)
  expect(
    html.match(/&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt; &amp; &#39;quotes&#39;/g),
  ).toHaveLength(6)
  expect(text).toContain(`> ${hostile}`)
  expect(text).not.toContain('&amp;')
})

test('A subject is one line of at most 150 characters', () => {
  expect(toSubject('a\r\nBcc: b@c.test\n\tx\u2028y\u0000z ')).toBe('a Bcc: b@c.test x y z')
  const long = toSubject('🎉'.repeat(200))
  expect([...long]).toHaveLength(150)
  expect(long.endsWith('…')).toBe(true)
})

test('A mail can be read in light and dark, without tables, pictures or anything from elsewhere', () => {
  const { html } = renderLetter(
    { subject: 'x', heading: 'x', paragraphs: ['x'] },
    { ...site, brand: 'Confetti' },
  )
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/)
  expect(html).not.toMatch(/<table|<img|<link|@import|url\(/)
})

test('Every line of a quote is marked in text, and line breaks are kept in HTML', () => {
  const { text, html } = renderLetter(
    { subject: 'x', heading: 'x', paragraphs: [], quote: 'one\r\n\ntwo' },
    site,
  )
  expect(text).toContain('> one\n> \n> two')
  expect(html).toContain('one<br><br>two')
})
