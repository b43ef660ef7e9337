// The fragment of an event's links has a key that stands for its PIN: `#key=...`.

const PREFIX = 'key='
const split = (hash: string): string[] => hash.slice(1).split('&')

/** Returns the key in a fragment. */
export const findLinkKey = (hash: string): string | undefined =>
  split(hash)
    .find((part) => part.startsWith(PREFIX))
    ?.slice(PREFIX.length)

/** Removes the key from the address, so that it is neither seen nor passed on with it. The rest of the fragment stays. */
export const dropLinkKey = (): void => {
  if (findLinkKey(location.hash) === undefined) return
  const rest = split(location.hash).filter((part) => !part.startsWith(PREFIX))
  const { pathname, search } = location
  history.replaceState(history.state, '', pathname + search + (rest.length > 0 ? `#${rest.join('&')}` : ''))
}
