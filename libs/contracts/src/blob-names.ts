/**
 * Where the bytes of an upload lie in the blob container. The id is made by the server, so no two uploads share
 * a name and nothing that a guest typed becomes part of one.
 */
export const blobNames = {
  folder: (uploadId: string) => `${uploadId}/`,
  original: (uploadId: string) => `${uploadId}/original`,
  thumbnail: (uploadId: string) => `${uploadId}/thumbnail.webp`,
  preview: (uploadId: string) => `${uploadId}/preview.webp`,
}
