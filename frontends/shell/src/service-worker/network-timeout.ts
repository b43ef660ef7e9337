/** How long to wait for the network before a cached copy is used. Without a copy there is no limit. */
export const NETWORK_TIMEOUT_SECONDS = 3
