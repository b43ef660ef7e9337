import { describe, expect, test } from '@jest/globals'
import { isEvent, isHashedFile, isPage, isReleaseFile } from './rules.ts'

const rules = { isHashedFile, isPage, isReleaseFile, isEvent }
const EVENT_ID = '6650f3a1c2b4d5e6f7a8b9c0'
const REMOTE = 'https://public.example.org'

/** The names of the rules that apply to a URL. A path without an origin is one of the shell. */
const listRules = (url: string): string[] =>
  Object.entries(rules)
    .filter(([, applies]) => applies(new URL(url, location.origin)))
    .map(([name]) => name)

describe('The rule of a URL that the service worker stores', () => {
  test.each([
    ['/', 'isPage'],
    ['/?app', 'isPage'],
    [`/upload?eventId=${EVENT_ID}`, 'isPage'],
    ['/wall/6650f3a1c2b4d5e6f7a8b9c0', 'isPage'],
    ['/apiary', 'isPage'],
    ['/config.json', 'isReleaseFile'],
    ['/remotes/public/0.1.0/mf-manifest.json', 'isReleaseFile'],
    [`${REMOTE}/mf-manifest.json?retry=1`, 'isReleaseFile'],
    ['/main.9fd0e2cb17.js', 'isHashedFile'],
    [`${REMOTE}/page-upload.0123456789.css`, 'isHashedFile'],
    ['/fraunces-latin-wght-normal.7d78925e89.woff2', 'isHashedFile'],
    [`/api/events/${EVENT_ID}?_ts=1`, 'isEvent'],
    [`https://api.example.org/api/events/${EVENT_ID}?_ts=1`, 'isEvent'],
  ])('%s: %s', (url, rule) => {
    expect(listRules(url)).toEqual([rule])
  })
})

test.each([
  '/api',
  '/api/docs',
  '/api/archives/a-token/Event_1.zip',
  '/api/events/active',
  `/api/events/${EVENT_ID}/cover`,
  `/api/live/${EVENT_ID}`,
  `/api/myevents/uploads/${EVENT_ID}`,
  '/api/uploads',
  'https://blob.example.org/uploads/6650f3a1c2b4d5e6f7a8b9c0/preview.webp?sig=1',
  `${REMOTE}/upload`,
  `${REMOTE}/config.json`,
  '/service-worker.js',
  '/manifest.webmanifest',
  '/remote-contract.json',
])('When the URL is %s, then the service worker ignores it', (url) => {
  expect(listRules(url)).toEqual([])
})
