// The fragment of an event's links has a key that stands for its PIN: `#key=...`.

/** Returns the key in a fragment. */
export const findLinkKey = (hash: string): string | undefined => /^#key=([^&]*)/.exec(hash)?.[1]

/** Removes the key from the address, so that it is neither seen nor passed on with it. The rest of the fragment stays. */
export const dropLinkKey = (): void => {
  const { pathname, search, hash } = location
  const rest = hash.replace(/^#key=[^&]*&?/, '#')
  if (rest !== hash) history.replaceState(history.state, '', (pathname + search + rest).replace(/#$/, ''))
}
