import { expect, test } from '@jest/globals'
import { renderNewUploads } from './event-mails.ts'
import { renderLetter, toSubject } from './layout.ts'
import { getTexts } from './texts.ts'

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
    getTexts('en'),
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
    getTexts('en'),
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
    getTexts('en'),
  )
  expect(text).toContain('> one\n> \n> two')
  expect(html).toContain('one<br><br>two')
})

test('A mail from right to left says so, and isolates names that are from left to right', () => {
  const { subject, text, html } = renderNewUploads(
    {
      event: { _id: 'a', name: 'Anna <3' },
      counts: { photos: 2, videos: 3 },
      unsubscribeUrl: 'https://photos.test/',
    },
    site,
    getTexts('ar-EG'),
  )
  expect(subject).toBe('صورتان جديدتان و3 فيديوهات في «\u2068Anna <3\u2069»')
  expect(text).toContain('أضاف ضيوفك صورتين جديدتين و3 فيديوهات إلى «\u2068Anna <3\u2069».')
  expect(html).toContain('«<bdi>Anna &lt;3</bdi>»')
  expect(html).toContain('<div lang="ar" dir="rtl" style="text-align:right">')
})

test('A name with characters that isolate cannot leave an element open', () => {
  const { html } = renderNewUploads(
    {
      event: { _id: 'a', name: '\u2069\u2068x\u2068' },
      counts: { photos: 1, videos: 0 },
      unsubscribeUrl: 'https://photos.test/',
    },
    site,
    getTexts('he'),
  )
  expect(html.match(/<bdi>/g)).toHaveLength(html.match(/<\/bdi>/g)?.length ?? 0)
})

test.each([
  [{ photos: 1, videos: 0 }, 'Anna & Ben', '1 new photo in “Anna & Ben”'],
  [{ photos: 1234, videos: 1 }, 'Anna & Ben', '1,234 new photos and 1 video in “Anna & Ben”'],
  [{ photos: 0, videos: 2 }, undefined, '2 new videos in your event'],
])('Uploads %j in the event %s are "%s"', (counts, name, expected) => {
  const { subject } = renderNewUploads(
    { event: { _id: 'a', name }, counts, unsubscribeUrl: 'https://photos.test/' },
    site,
    getTexts(undefined),
  )
  expect(subject).toBe(expected)
})
