const handleBeforeUnload = (event: BeforeUnloadEvent): void => {
  event.preventDefault()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Chrome before 119 ignores preventDefault.
  event.returnValue = true
}

/**
 * Lets the browser ask for confirmation before the page is closed or reloaded. The shell asks for the same event before
 * it reloads the page. Returns a function that ends it.
 */
export const guardUnload = (): (() => void) => {
  window.addEventListener('beforeunload', handleBeforeUnload)
  return () => window.removeEventListener('beforeunload', handleBeforeUnload)
}
