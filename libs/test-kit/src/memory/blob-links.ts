import { RestError, type BlobHTTPHeaders } from '@azure/storage-blob'
import { md5Of, storageError, type Blob, type StoredBlobs } from './stored-blobs.ts'

export interface LinkOptions {
  /** `r` reads, `c` creates a blob that does not exist, `w` writes. */
  permissions: 'r' | 'c' | 'w'
  startsAt: Date
  expiresAt: Date
  contentType?: string
  contentDisposition?: string
}

export interface LinkRequest {
  method: 'PUT' | 'GET' | 'HEAD' | 'DELETE'
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Kept as it is. */
  body?: Buffer
}

export interface LinkResponse {
  status: number
  /** Azure's code of an error. */
  code?: string | undefined
  headers?: Record<string, string>
  body?: Buffer
}

export const ACCOUNT_URL = 'https://memory.blob.core.windows.net'

// A link is valid by clocks that are slow by as much, as one that the services sign.
const CLOCK_SKEW_MS = 15 * 60_000

const definedOf = (values: Record<string, string | null | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Record<string, string>

/** The headers that a request gives to a blob. */
const sentHeaders = (given: Headers): BlobHTTPHeaders =>
  definedOf({
    blobContentType: given.get('x-ms-blob-content-type') ?? given.get('content-type'),
    blobContentEncoding: given.get('x-ms-blob-content-encoding'),
    blobContentLanguage: given.get('x-ms-blob-content-language'),
    blobContentDisposition: given.get('x-ms-blob-content-disposition'),
    blobCacheControl: given.get('x-ms-blob-cache-control'),
  })

const assertMd5 = (bytes: Buffer, given: Headers): void => {
  const expected = given.get('x-ms-blob-content-md5') ?? given.get('content-md5')
  if (expected && expected !== md5Of(bytes).toString('base64')) throw storageError(400, 'Md5Mismatch')
}

const blockIdsOf = (xml: string): string[] => {
  if (!xml.includes('<BlockList')) throw storageError(400, 'InvalidXmlDocument')
  return [...xml.matchAll(/<(?:Latest|Uncommitted|Committed)>(.*?)</g)].map(([, id = '']) => id)
}

/** What holders of links can do with blobs. */
export const createBlobLinks = ({ blobAt }: StoredBlobs, now: () => Date, copyMs: number) => {
  /** The blob of a link, and whether the link has one of the permissions. */
  const open = (url: URL) => {
    const [, containerName = '', ...path] = decodeURIComponent(url.pathname).split('/')
    const link = JSON.parse(url.searchParams.get('link') ?? '{}') as Record<string, string>
    const blobName = path.join('/')
    const time = now().getTime()
    const isValid =
      link.blob === `${containerName}/${blobName}` &&
      Date.parse(link.startsAt ?? '') - CLOCK_SKEW_MS <= time &&
      time < Date.parse(link.expiresAt ?? '')
    if (!isValid) throw storageError(403, 'AuthenticationFailed')
    const allow = (permissions: string): void => {
      if (!permissions.includes(link.permissions ?? ' '))
        throw storageError(403, 'AuthorizationPermissionMismatch')
    }
    return { link, allow, blob: blobAt(containerName, blobName) }
  }
  type OpenLink = ReturnType<typeof open>

  /** The blob that a link reads; undefined if it is in no account. Azurite does not check it for a copy at once. */
  const readSource = (url: string): Blob | undefined => {
    if (!url.startsWith(`${ACCOUNT_URL}/`)) return undefined
    try {
      const { allow, blob } = open(new URL(url))
      allow('r')
      return blob.read()
    } catch (error) {
      throw storageError((error as RestError).statusCode ?? 400, 'CannotVerifyCopySource')
    }
  }

  const get = ({ link, blob }: OpenLink, given: Headers): LinkResponse => {
    const [, start = '0', end] = /^bytes=(\d+)-(\d*)$/.exec(given.get('range') ?? '') ?? []
    const count = end ? Number(end) - Number(start) + 1 : undefined
    const { headers, etag, chunks, length, range } = blob.readRange(Number(start), count)
    return {
      status: range ? 206 : 200,
      headers: definedOf({
        etag,
        'content-length': String(length),
        'content-range': range,
        'content-type': link.contentType ?? headers.blobContentType,
        'content-disposition': link.contentDisposition ?? headers.blobContentDisposition,
        'content-encoding': headers.blobContentEncoding,
        'content-language': headers.blobContentLanguage,
        'cache-control': headers.blobCacheControl,
      }),
      body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
    }
  }

  const putBlob = ({ link, blob }: OpenLink, given: Headers, body: Buffer): LinkResponse => {
    // Azurite's code is AuthorizationPermissionMismatch.
    if (link.permissions === 'c' && blob.find()) throw storageError(403, 'UnauthorizedBlobOverwrite')
    const ifNoneMatch = given.get('if-none-match') ?? undefined
    const source = given.get('x-ms-copy-source')
    if (source) {
      const isAtOnce = given.get('x-ms-requires-sync') === 'true'
      blob.copy(readSource(source), isAtOnce ? 0 : copyMs, { ifNoneMatch })
      return { status: 202 }
    }
    // Page and append blobs are not here.
    if (given.get('x-ms-blob-type') !== 'BlockBlob') throw storageError(400, 'InvalidHeaderValue')
    assertMd5(body, given)
    blob.put(body, sentHeaders(given), { ifNoneMatch })
    return { status: 201 }
  }

  const changeLease = ({ blob }: OpenLink, given: Headers): LinkResponse => {
    const action = given.get('x-ms-lease-action')
    if (action === 'acquire') blob.lease(Number(given.get('x-ms-lease-duration')))
    else if (action === 'break') blob.breakLease(Number(given.get('x-ms-lease-break-period')))
    else throw storageError(400, 'InvalidHeaderValue')
    return { status: action === 'break' ? 202 : 201 }
  }

  const answer = (url: URL, { method, headers, body = Buffer.alloc(0) }: LinkRequest): LinkResponse => {
    const given = new Headers(headers)
    const opened = open(url)
    const { allow, blob } = opened
    const operation = method === 'HEAD' ? 'GET' : `${method} ${url.searchParams.get('comp') ?? ''}`.trim()
    switch (operation) {
      case 'GET':
        allow('r')
        return get(opened, given)
      case 'PUT':
        allow('cw')
        return putBlob(opened, given, body)
      case 'PUT block':
        allow('w')
        assertMd5(body, given)
        blob.stage(url.searchParams.get('blockid') ?? '', body)
        return { status: 201 }
      case 'PUT blocklist':
        allow('w')
        blob.commit(blockIdsOf(body.toString()), sentHeaders(given))
        return { status: 201 }
      case 'PUT metadata':
        allow('w')
        // Nothing reads the metadata of a blob.
        blob.change({})
        return { status: 200 }
      case 'PUT properties':
        allow('w')
        blob.change({ headers: sentHeaders(given) })
        return { status: 200 }
      case 'PUT snapshot':
        allow('cw')
        blob.snapshot()
        return { status: 201 }
      case 'PUT lease':
        allow('w')
        return changeLease(opened, given)
      case 'PUT copy':
        allow('w')
        blob.abortCopy(url.searchParams.get('copyid') ?? '')
        return { status: 204 }
      default:
        // It deletes, reads lists, or writes tags, which no link of the services permits.
        throw storageError(403, 'AuthorizationPermissionMismatch')
    }
  }

  return {
    readSource,

    sign: (
      { containerName, blobName }: { containerName: string; blobName: string },
      options: LinkOptions,
    ): string =>
      new URLSearchParams({
        link: JSON.stringify({ blob: `${containerName}/${blobName}`, ...options }),
      }).toString(),

    answer: (link: string, request: LinkRequest): LinkResponse => {
      const url = new URL(link)
      for (const [key, value] of Object.entries(request.query ?? {})) url.searchParams.set(key, value)
      try {
        return answer(url, request)
      } catch (error) {
        if (!(error instanceof RestError)) throw error
        return { status: error.statusCode ?? 500, code: error.code }
      }
    },
  }
}
