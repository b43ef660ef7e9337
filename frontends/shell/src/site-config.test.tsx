import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { getDefaultApiUrl, loadSiteConfig } from './site-config.ts'

const remotes = { public: '/p.json', organiser: '/o.json', admin: '/a.json' }
const respondWith = (config: unknown) =>
  Promise.resolve({ ok: true, text: () => Promise.resolve(JSON.stringify(config)) } as Response)
const hang = (controller: AbortController): Promise<never> =>
  new Promise((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error))
  })
const prefetch = (response: Promise<Response>, controller = new AbortController()): void => {
  window.prefetched = { '/config.json': { response, controller } }
}

describe('Default API URL', () => {
  test.each([
    ['localhost:3000', 'http://localhost:3001'],
    ['localhost', 'http://localhost:3001'],
    ['demo.localhost:8080', 'http://localhost:3001'],
    ['confetti.example', 'https://api.confetti.example'],
    ['www.confetti.example', 'https://api.www.confetti.example'],
  ])('When the host is %s, then it is %s', (host, url) => {
    expect(getDefaultApiUrl({ host })).toBe(url)
  })
})

describe('When the configuration is loaded', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    delete window.prefetched
    jest.useRealTimers()
  })

  test('and has all fields, then they are used', async () => {
    globalThis.fetch = () => respondWith({ brand: 'Streamers', apiUrl: 'https://api.example.test', remotes })
    await expect(loadSiteConfig()).resolves.toEqual({
      site: { brand: 'Streamers', apiUrl: 'https://api.example.test' },
      remotes,
      serviceWorker: true,
    })
  })

  test('and it has no service worker, then that is kept', async () => {
    globalThis.fetch = () => respondWith({ remotes, serviceWorker: false })
    expect((await loadSiteConfig()).serviceWorker).toBe(false)
  })

  test('and has only the remotes, then the other fields have their defaults', async () => {
    globalThis.fetch = () => respondWith({ remotes })
    const { site } = await loadSiteConfig()
    expect(site).toEqual({ brand: 'Confetti', apiUrl: 'http://localhost:3001' })
  })

  test('and it was prefetched, then that response is used once, and the next call fetches it again', async () => {
    const mockFetch = jest.fn(() => respondWith({ remotes, brand: 'Fetched' }))
    globalThis.fetch = mockFetch
    prefetch(respondWith({ remotes, brand: 'Prefetched' }))
    expect((await loadSiteConfig()).site.brand).toBe('Prefetched')
    expect(mockFetch).not.toHaveBeenCalled()
    expect((await loadSiteConfig()).site.brand).toBe('Fetched')
  })

  test('and there is no response, then it fails after a timeout', async () => {
    globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      })
    const failing = expect(loadSiteConfig()).rejects.toThrow('timed out')
    jest.runAllTimers()
    await failing
  })

  test('and the prefetched response or its body never arrives, then it fails after a timeout', async () => {
    for (const isHeadMissing of [true, false]) {
      const controller = new AbortController()
      const body = { ok: true, text: () => hang(controller) } as unknown as Response
      prefetch(isHeadMissing ? hang(controller) : Promise.resolve(body), controller)
      const failing = expect(loadSiteConfig()).rejects.toThrow('timed out')
      await Promise.resolve()
      jest.runAllTimers()
      await failing
    }
  })

  test('and it has no remotes, then it fails', async () => {
    globalThis.fetch = () => respondWith({ brand: 'Confetti' })
    await expect(loadSiteConfig()).rejects.toThrow('remotes')
  })
})
