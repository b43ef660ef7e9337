import { takePrefetched } from '@confetti/api-client/prefetched'

const sendRequest = (url: string) => {
  const controller = new AbortController()
  return { response: fetch(url, { cache: 'no-cache', signal: controller.signal }), controller }
}

/**
 * Returns the body of a file: of its prefetched response the first time, otherwise of a new request. Rejects if the
 * status is an error, or if the body is not complete after `timeoutMs`.
 */
export const fetchText = async (url: string, timeoutMs: number): Promise<string> => {
  const request = takePrefetched(url) ?? sendRequest(url)
  const timer = setTimeout(() => request.controller.abort(new Error(`${url} has timed out.`)), timeoutMs)
  try {
    const response = await request.response
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return await response.text()
  } finally {
    clearTimeout(timer)
  }
}
