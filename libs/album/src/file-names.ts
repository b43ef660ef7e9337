import type { Upload } from '@confetti/contracts'

const asVideo = /(mp4|mov|quicktime)$/i

/** Whether an upload is shown in a player: by its name, or by its content where the name says nothing. */
export const isVideo = ({
  originalName,
  contentType,
}: Pick<Upload, 'originalName' | 'contentType'>): boolean =>
  asVideo.test(originalName) || contentType.startsWith('video/')

/** What an upload is called in a zip, where no two names are alike. */
export const nameInZip = ({ filename }: Pick<Upload, 'filename'>): string =>
  filename.slice(filename.lastIndexOf('/') + 1)
