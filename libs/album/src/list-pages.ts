import type { Upload } from '@confetti/contracts'

/** One page of an event's uploads, newest first. `quiet` is for calls that nobody waits for. */
export type ListPage = (
  query: { limit: number; after?: string },
  options: { signal: AbortSignal; quiet: boolean },
) => Promise<{ uploads: Upload[]; nextCursor?: string | undefined }>

/** How many uploads a page has. */
export const PAGE = 500
interface ListOptions {
  signal: AbortSignal
  quiet?: boolean
  firstPage?: number
  /** Told after each page what is there so far, and whether that is all. */
  onPage?: (uploads: readonly Upload[], whole: boolean) => void
}

/** All uploads of an event, page by page. */
export const listAll = async (
  listPage: ListPage,
  { signal, quiet = false, firstPage = PAGE, onPage }: ListOptions,
): Promise<readonly Upload[]> => {
  let uploads: Upload[] = []
  let after: string | undefined
  do {
    const query = after ? { limit: PAGE, after } : { limit: firstPage }
    const page = await listPage(query, { signal, quiet: quiet || after !== undefined })
    uploads = [...uploads, ...page.uploads]
    after = page.nextCursor
    onPage?.(uploads, after === undefined)
  } while (after)
  return uploads
}
