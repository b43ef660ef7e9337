import type { ComponentType } from 'react'

/** The remotes that the shell knows; `/config.json` says where each is. */
export const remoteNames = ['public', 'organiser', 'admin'] as const
export type RemoteName = (typeof remoteNames)[number]

/** The name that a remote has for the federation runtime; the bare names are reserved words. */
export const federationName = (name: RemoteName): string => `confetti_${name}`

/** One screen of a remote. */
export interface RemoteRoute {
  /** As react-router writes paths, from the root: `/events/:eventId`. */
  path: string
  /** What the browser's tab says, before the product's name. */
  title: string
  /** Brings its code; asked again after it failed. */
  page: () => Promise<ComponentType>
}

/** The module that a remote exposes as `./routes`. */
export interface Remote {
  routes: readonly RemoteRoute[]
}

/** What the shell reads from `/config.json`. */
export interface SiteConfig {
  /** The product's name on the screen. */
  brand?: string
  /** The API's address; by the host's name where none is given. */
  apiUrl?: string
  /** Each remote's `mf-manifest.json`. */
  remotes: Record<RemoteName, string>
}
