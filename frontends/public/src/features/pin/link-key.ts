// The fragment of an event's links has a key that stands for its PIN: `#key=...`.

/** Returns the key in a fragment. */
export const findLinkKey = (hash: string): string | undefined => /^#key=([^&]*)/.exec(hash)?.[1]

let linkWithKey = ''

/** Removes the key from the address, so that it is neither seen nor passed on with it. The rest of the fragment stays. */
export const dropLinkKey = (): void => {
  const { href, hash } = location
  if (findLinkKey(hash) === undefined) return
  linkWithKey = href
  history.replaceState(history.state, '', href.replace(/#key=[^&]*&?/, '#').replace(/#$/, ''))
}

/** The address of the page with the key that it was opened with, for another browser of the same guest. */
export const getLink = (): string => (linkWithKey.startsWith(location.href) ? linkWithKey : location.href)
