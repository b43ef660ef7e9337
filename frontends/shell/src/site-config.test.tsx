/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { apiUrlFor, readSiteConfig } from './site-config.ts'

const remotes = { public: '/p.json', organiser: '/o.json', admin: '/a.json' }
const answering = (config: unknown) =>
  Promise.resolve({ json: () => Promise.resolve(config) } as unknown as Response)

describe('Where the API is, if the configuration does not say', () => {
  test.each([
    ['localhost:3000', 'http://localhost:3001'],
    ['localhost', 'http://localhost:3001'],
    ['demo.localhost:8080', 'http://localhost:3001'],
    ['confetti.example', 'https://api.confetti.example'],
    ['www.confetti.example', 'https://api.www.confetti.example'],
  ])('When the page is on %s, then it is %s', (host, url) => {
    expect(apiUrlFor({ host })).toBe(url)
  })
})

describe('When the configuration is read', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    delete window.early
    jest.useRealTimers()
  })

  test('and says all, then that holds', async () => {
    globalThis.fetch = () => answering({ brand: 'Streamers', apiUrl: 'https://api.example.test', remotes })
    await expect(readSiteConfig()).resolves.toEqual({
      site: { brand: 'Streamers', apiUrl: 'https://api.example.test' },
      remotes,
    })
  })

  test('and says no more than where the remotes are, then the rest has its defaults', async () => {
    globalThis.fetch = () => answering({ remotes })
    const { site } = await readSiteConfig()
    expect(site).toEqual({ brand: 'Confetti', apiUrl: 'http://localhost:3001' })
  })

  test('and the page has asked already, then that answer is taken once, and the next go asks anew', async () => {
    const fetched = jest.fn(() => answering({ remotes, brand: 'Asked again' }))
    globalThis.fetch = fetched
    window.early = { '/config.json': answering({ remotes, brand: 'Asked early' }) }
    expect((await readSiteConfig()).site.brand).toBe('Asked early')
    expect(fetched).not.toHaveBeenCalled()
    expect((await readSiteConfig()).site.brand).toBe('Asked again')
  })

  test('and it does not come, then it fails after a while instead of waiting for ever', async () => {
    globalThis.fetch = () => new Promise(() => undefined)
    const failing = expect(readSiteConfig()).rejects.toThrow('did not come')
    jest.runAllTimers()
    await failing
  })

  test('and it names no remotes, then it fails', async () => {
    globalThis.fetch = () => answering({ brand: 'Confetti' })
    await expect(readSiteConfig()).rejects.toThrow('remotes')
  })
})
