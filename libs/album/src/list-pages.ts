import type { Upload, UploadTotal } from '@confetti/contracts'

/** Fetches one page of an event's uploads, newest first; the first one has their total. `quiet` calls do not show the loading overlay. */
export type ListPage = (
  query: { limit: number; after?: string },
  options: { signal: AbortSignal; quiet: boolean },
) => Promise<{ uploads: Upload[]; nextCursor?: string | undefined; total?: UploadTotal | undefined }>

/** Uploads per page. */
export const PAGE_SIZE = 500

interface ListOptions {
  signal: AbortSignal
  quiet?: boolean
  /** Called after each page with all uploads so far, and with the cursor of the next page if there is one. */
  onPage?: (uploads: readonly Upload[], nextCursor: string | undefined) => void
}

/** Lists all uploads of an event, page by page. */
export const listAllUploads = async (
  listPage: ListPage,
  { signal, quiet = false, onPage }: ListOptions,
): Promise<readonly Upload[]> => {
  let uploads: Upload[] = []
  let after: string | undefined
  do {
    const query = { limit: PAGE_SIZE, ...(after && { after }) }
    const page = await listPage(query, { signal, quiet: quiet || after !== undefined })
    signal.throwIfAborted()
    uploads = [...uploads, ...page.uploads]
    after = page.nextCursor
    onPage?.(uploads, after)
  } while (after)
  return uploads
}
