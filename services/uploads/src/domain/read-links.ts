/** Links to the images of an upload. */
export type PreviewLinks = Record<'thumbnailUrl' | 'previewUrl', string>

/** The same and a link to its original. */
export type ReadLinks = PreviewLinks & { url: string }
