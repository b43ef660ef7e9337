import { ApiError } from '@confetti/api-client'

/** Creates the error for a request that got no response. */
export const createNetworkError = (): ApiError =>
  new ApiError(0, { code: 'network_error', message: 'The connection was lost. Please try again.' })

export const isNetworkError = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 0
