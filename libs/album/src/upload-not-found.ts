import { ApiError } from '@confetti/api-client'

/**
 * Whether the upload of a call does not exist, or no longer. Any other 404 says nothing about it: it may be that of an event
 * that the caller cannot see any more, of a link that has ended, or of a proxy.
 */
export const isUploadNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'upload_not_found'
