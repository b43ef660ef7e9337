import type { ComponentType } from 'react'

/** The remotes that the shell can load. Their addresses come from `/config.json`. */
export const remoteNames = ['public', 'organiser', 'admin'] as const
export type RemoteName = (typeof remoteNames)[number]

/** Returns a remote's name in the federation runtime. It has a prefix, because `public` is a reserved word. */
export const federationName = (name: RemoteName): string => `confetti_${name}`

/** One screen of a remote. */
export interface RemoteRoute {
  /** An absolute path in the syntax of react-router, for example `/events/:eventId`. */
  path: string
  /** The document title in English, which is shown before the product's name. */
  title: string
  /** The id of the title in the texts that `page` loads. */
  titleId?: string
  /** Loads the page's code. Called again after a failure. */
  page: () => Promise<ComponentType>
}

/** The module that a remote exposes as `./routes`. */
export interface Remote {
  routes: readonly RemoteRoute[]
}

/** The content of `/config.json`. */
export interface SiteConfig {
  /** The product's name on the screen. */
  brand?: string
  /** What the operator tells the guests of all events, on their pages about privacy. */
  privacyNotice?: string
  /** The base URL of the API. The default depends on the page's host. */
  apiUrl?: string
  /** The URL of each remote's `mf-manifest.json`. */
  remotes: Record<RemoteName, string>
  /** Whether browsers install the service worker; true by default. False removes it from those that have it. */
  serviceWorker?: boolean
}
