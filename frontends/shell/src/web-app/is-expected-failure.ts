/**
 * Whether the service worker could not be registered for a reason that is no defect: browsers that store nothing refuse
 * with a SecurityError, and a script that cannot be loaded is a TypeError, as is one that fails, whose message names the
 * evaluation.
 */
export const isExpectedFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const isLoadFailure = error instanceof TypeError && !error.message.includes('evaluation')
  return isLoadFailure || ['SecurityError', 'ChunkLoadError'].includes(error.name)
}
