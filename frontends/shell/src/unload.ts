/**
 * Whether a page of a remote asks to stay open, because it is sending files. Asked by the event by which the browser asks
 * before it closes a page, so that remotes need not know the shell.
 */
export const isUnloadBlocked = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
