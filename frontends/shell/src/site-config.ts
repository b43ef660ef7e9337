import { fetchText } from '@confetti/federation/load'
import type { SiteConfig } from '@confetti/federation/remote'
import type { Site } from '@confetti/session'

const TIMEOUT_MS = 8_000

/** The default API URL: port 3001 if the page's host contains localhost, otherwise the host with the prefix `api.`. */
export const getDefaultApiUrl = ({ host }: Pick<Location, 'host'>): string =>
  host.includes('localhost') ? 'http://localhost:3001' : `https://api.${host}`

/** Loads `/config.json`. Rejects if it fails, takes more than 8 s or has no remotes. */
export const loadSiteConfig = async (): Promise<
  { site: Site } & Required<Pick<SiteConfig, 'remotes' | 'serviceWorker'>>
> => {
  const config = JSON.parse(await fetchText('/config.json', TIMEOUT_MS)) as SiteConfig
  if (typeof config.remotes !== 'object') throw new Error('/config.json has no remotes.')
  return {
    site: {
      brand: config.brand ?? 'Confetti',
      privacyNotice: config.privacyNotice,
      apiUrl: config.apiUrl ?? getDefaultApiUrl(location),
    },
    remotes: config.remotes,
    serviceWorker: config.serviceWorker ?? true,
  }
}
