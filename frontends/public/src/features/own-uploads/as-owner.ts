import type * as contracts from '@confetti/contracts'

// Its module would bring all contracts into the page.
const GUEST_KEY_HEADER: typeof contracts.GUEST_KEY_HEADER = 'X-Guest-Key'

let ownKey: string | undefined

/** Calls that follow are made with the key of an own link instead of the guest token, or by the token again. */
export const setOwnKey = (key: string | undefined): void => {
  ownKey = key
}

/** The options of a call about what the guest has sent, in the background. */
export const asOwner = (headers: Readonly<Record<string, string>> = {}) => ({
  asGuest: true,
  quiet: true,
  headers: { ...headers, ...(ownKey !== undefined && { [GUEST_KEY_HEADER]: ownKey }) },
})
