import type { Upload } from '@confetti/contracts'

const VIDEO_NAME = /(mp4|mov|quicktime)$/i

/** Whether an upload is shown in a player: by the end of its name, otherwise by its content type. */
export const isVideo = ({
  originalName,
  contentType,
}: Pick<Upload, 'originalName' | 'contentType'>): boolean =>
  VIDEO_NAME.test(originalName) || contentType.startsWith('video/')

/** The name of an upload in a zip, unique within its event. */
export const nameInZip = ({ filename }: Pick<Upload, 'filename'>): string =>
  filename.slice(filename.lastIndexOf('/') + 1)
