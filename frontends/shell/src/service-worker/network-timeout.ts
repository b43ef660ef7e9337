/** How long a stored copy waits for the network. Without a copy there is no limit. */
export const NETWORK_TIMEOUT_SECONDS = 3
