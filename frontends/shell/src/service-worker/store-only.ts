import type { WorkboxPlugin } from 'workbox-core'

/**
 * Stores only successful responses of a media type, so that neither an error nor the sign-in page of a Wi-Fi network
 * replaces a file.
 */
export const storeOnly = (mediaType: RegExp): WorkboxPlugin => ({
  cacheWillUpdate: ({ response }) => {
    const isStored =
      response.status === 200 &&
      !response.redirected &&
      mediaType.test(response.headers.get('Content-Type') ?? '')
    return Promise.resolve(isStored ? response : null)
  },
})
