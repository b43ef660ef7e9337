import { fetchEarly } from '@confetti/federation/early'
import type { SiteConfig } from '@confetti/federation/remote'
import type { Site } from '@confetti/session'

const LIMIT_MS = 8_000

/** The API's address where the configuration names none: port 3001 beside a localhost, else the host's `api.`. */
export const apiUrlFor = ({ host }: Pick<Location, 'host'>): string =>
  host.includes('localhost') ? 'http://localhost:3001' : `https://api.${host}`

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The configuration did not come.')), LIMIT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Reads `/config.json`. Rejects if it does not come in time or is none. */
export const readSiteConfig = async (): Promise<{ site: Site; remotes: SiteConfig['remotes'] }> => {
  const config = await inTime(
    fetchEarly('/config.json', { cache: 'no-cache' }).then(
      async (response) => (await response.json()) as SiteConfig,
    ),
  )
  if (typeof config.remotes !== 'object') throw new Error('The configuration names no remotes.')
  return {
    site: { brand: config.brand ?? 'Confetti', apiUrl: config.apiUrl ?? apiUrlFor(location) },
    remotes: config.remotes,
  }
}
