import type { IncomingMessage } from 'node:http'
import { readHeader, type Conditional } from '@confetti/service-kit'
import type { Deps } from '../deps.ts'
import { LINK_STEP_MS } from '../upload-blobs.ts'
import type { ChangedUpload } from '../upload.ts'
import { createChangeLogs, MAX_KNOWLEDGE_AGE_MS, type Changes } from './changes.ts'

/** What a client asks for. */
export interface FeedQuery {
  /** The `version` of an answer that it has. */
  since?: string | undefined
  after?: string | undefined
  limit?: number | undefined
  /** Its If-None-Match. */
  ifNoneMatch?: string | undefined
}

/** The query of a request for a list. */
export const toFeedQuery = <Q extends object>(query: Q, request: IncomingMessage) => ({
  ...query,
  ifNoneMatch: readHeader(request, 'if-none-match'),
})

/** How an audience sees the uploads of an event. */
export interface Audience<View, Page> {
  /** Whether it never sees an upload that is being processed: what only arrives does not change its list. */
  seesOnlyProcessed?: boolean
  /** How old an answer may be; 0 where something else reports changes, as what is asked for then must be there. */
  maxAgeMs: number
  /** What it sees of an upload; undefined if nothing. */
  view: (upload: ChangedUpload, now: Date) => View | undefined
  /** Whether it may have seen an upload that it does not see. */
  mayHaveSeen: (upload: ChangedUpload) => boolean
  listPage: () => Promise<Page>
  /** What the first page is made of, beside the uploads, if it is the same for everybody of the audience. */
  pageKey?: string
  /** What else the answer depends on, such as a setting of the event: a client that knows another one gets the first page. */
  variant?: string | undefined
}

/** Weakly, as proxies that compress make ETags weak. */
const tagsOf = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag)

/** What `compute` returns, once for these changes. A failure is not kept. */
const once = <Value extends object>(
  { cache }: Changes,
  key: string,
  compute: () => Promise<Value>,
): Promise<Value> => {
  const computed = (cache.get(key) as Promise<Value> | undefined) ?? compute()
  cache.set(key, computed)
  computed.catch(() => cache.delete(key))
  return computed
}

/**
 * Lists that say what has changed. An answer has an ETag, `state.step`, which names what is known of the event's uploads and
 * the links in it: a client that has it gets 304, without links if it asks by a version. A version has the step, too: it is
 * as old as that.
 */
export const createFeed = (deps: Pick<Deps, 'config' | 'uploads' | 'clock'>) => {
  const { clock } = deps
  const all = createChangeLogs(deps, deps.uploads.listChanged)
  // While guests send, most changes are of uploads that no guest sees yet.
  const processed = createChangeLogs(deps, deps.uploads.listChangedProcessed)

  return {
    /** This replica has changed what an upload of an event looks like: the next answer has it. */
    noteChange: (eventId: string): void => {
      all.noteChange(eventId)
      processed.noteChange(eventId)
    },

    /**
     * What `compute` makes of those of an event's uploads that have been processed, as they were at most `maxAgeMs` ago: once,
     * as long as nothing changes.
     */
    computeOnce: async <Value extends object>(
      eventId: string,
      maxAgeMs: number,
      name: string,
      compute: () => Promise<Value>,
    ): Promise<Value> => once(await processed.read(eventId, maxAgeMs), name, compute),

    answer: async <View, Page extends { uploads: View[] }>(
      eventId: string,
      { since, after, limit, ifNoneMatch }: FeedQuery,
      {
        seesOnlyProcessed = false,
        maxAgeMs,
        view,
        mayHaveSeen,
        listPage,
        pageKey,
        variant = '',
      }: Audience<View, Page>,
    ): Promise<
      Conditional<Page | { version: string; uploads: View[]; removed?: string[]; reset?: true }>
    > => {
      if (after !== undefined) return { body: await listPage() }
      // Before a page is read: what changes meanwhile is told again by the next answer.
      const changes = await (seesOnlyProcessed ? processed : all).read(eventId, maxAgeMs)
      const tag = changes.tag + variant
      const now = clock()
      const step = Math.floor(now.getTime() / LINK_STEP_MS)
      const version = `${changes.version}.${step}${variant && `.${variant}`}`
      const etag = `"${tag}.${step}"`
      const isRecent = (ofStep: string): boolean =>
        now.getTime() - Number(ofStep) * LINK_STEP_MS < MAX_KNOWLEDGE_AGE_MS
      const isKnown = tagsOf(ifNoneMatch).some((known) => {
        const [state, ofStep = ''] = known.split('.')
        return state === tag && (since === undefined ? ofStep === String(step) : isRecent(ofStep))
      })
      if (isKnown) return { etag: ifNoneMatch ?? etag }

      const [state = '', ofStep = '', ofVariant = ''] = since?.split('.') ?? []
      const changed = isRecent(ofStep) && ofVariant === variant ? changes.since(state) : undefined
      if (changed) {
        const uploads = changed.map((upload) => ({ upload, seen: view(upload, now) }))
        return {
          etag,
          body: {
            version,
            uploads: uploads.flatMap(({ seen }) => (seen === undefined ? [] : [seen])),
            removed: uploads.flatMap(({ upload, seen }) =>
              seen === undefined && mayHaveSeen(upload) ? [upload._id] : [],
            ),
          },
        }
      }
      const page = await (pageKey === undefined
        ? listPage()
        : once(changes, `${pageKey}${variant}/${limit ?? ''}/${step}`, listPage))
      return { etag, body: { version, ...(since !== undefined && { reset: true }), ...page } }
    },
  }
}
export type Feed = ReturnType<typeof createFeed>
