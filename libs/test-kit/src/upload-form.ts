/** The bytes before and after one file in an upload form. */
export interface UploadForm {
  contentType: string
  head: Buffer
  end: Buffer
  /** Returns the Content-Length for a file of `size` bytes. */
  contentLengthFor: (size: number) => number
}

// As long as the boundaries of browsers, because the parser's speed depends on the length.
const BOUNDARY = '----WebKitFormBoundaryQx7rT2mLw9KdPz4V'

/**
 * Builds an upload form as bytes, for clients that stream, stall or disconnect, which `FormData` does not
 * support.
 */
export const buildUploadForm = (fields: {
  eventId: string
  credit: string
  name: string
  consentVersion?: string | undefined
}): UploadForm => {
  const part = (disposition: string, content: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}`
  const head = Buffer.from(
    [
      part('name="eventId"', fields.eventId),
      part('name="photoCredit"', fields.credit),
      ...(fields.consentVersion === undefined ? [] : [part('name="consentVersion"', fields.consentVersion)]),
      part(`name="media"; filename="${fields.name}"`, ''),
    ].join('\r\n'),
  )
  const end = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    head,
    end,
    contentLengthFor: (size) => head.length + size + end.length,
  }
}
