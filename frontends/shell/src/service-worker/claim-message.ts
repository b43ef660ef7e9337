/** What a page sends to the active worker that does not control it. */
export const CLAIM_MESSAGE = 'claim'
