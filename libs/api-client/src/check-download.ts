import { fetchResponse, readText } from './fetch-response.ts'

/**
 * Checks a download link by a request for the first byte of the file. Rejects with an `ApiError` if the server refuses
 * the download.
 */
export const checkDownload = async (url: string, signal: AbortSignal): Promise<void> => {
  const response = await fetchResponse(url, {
    headers: { Range: 'bytes=0-0' },
    cache: 'no-store',
    signal,
  })
  // A server that ignores the range sends the whole file.
  if (response.status === 200) await response.body?.cancel()
  else await readText(response, signal)
}
