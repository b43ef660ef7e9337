/** What stands around the bytes of one file in an upload form. */
export interface UploadForm {
  contentType: string
  head: Buffer
  end: Buffer
  /** Of the whole, for a file of `size` bytes. */
  lengthWith: (size: number) => number
}

// As long as those that browsers make: how fast a body is searched for it depends on that.
const BOUNDARY = '----WebKitFormBoundaryQx7rT2mLw9KdPz4V'

/** An upload form as bytes, for senders that stream, dawdle or break off, which `FormData` cannot. */
export const formAround = (sent: { eventId: string; credit: string; name: string }): UploadForm => {
  const part = (disposition: string, text: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}`
  const head = Buffer.from(
    [
      part('name="eventId"', sent.eventId),
      part('name="photoCredit"', sent.credit),
      part(`name="media"; filename="${sent.name}"`, ''),
    ].join('\r\n'),
  )
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    head,
    end,
    lengthWith: (size) => head.length + size + end.length,
  }
}
