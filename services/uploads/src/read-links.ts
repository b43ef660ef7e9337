/** Links to the images of an upload, and to the rendition of a video if there is one. */
export type PreviewLinks = Record<'thumbnailUrl' | 'previewUrl', string> & { videoUrl?: string }

/** The same and a link to its original. */
export type ReadLinks = PreviewLinks & { url: string }
