/**
 * The blob names of an upload. They contain only the id, which the server generates, so that they are unique and free of
 * anything that a guest has typed.
 */
export const blobNames = {
  folder: (uploadId: string) => `${uploadId}/`,
  /** Where the blocks of a direct upload arrive before they are copied to `original`. */
  staging: (uploadId: string) => `staging/${uploadId}`,
  original: (uploadId: string) => `${uploadId}/original`,
  thumbnail: (uploadId: string) => `${uploadId}/thumbnail.webp`,
  preview: (uploadId: string) => `${uploadId}/preview.webp`,
  /** A video that all browsers play. */
  rendition: (uploadId: string) => `${uploadId}/rendition.mp4`,
}
