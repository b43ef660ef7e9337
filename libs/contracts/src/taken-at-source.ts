// In a file without zod, so that pages can import it without loading it.

/**
 * What says when an upload was taken, the most trusted first: EXIF with a zone, QuickTime with a zone, EXIF in the event's
 * time zone, the UTC time of a video file, the name of the file, and the time of its last change on the guest's device.
 */
export const takenAtSources = ['exif', 'quicktime', 'exif-local', 'container', 'name', 'declared'] as const
export type TakenAtSource = (typeof takenAtSources)[number]

/** Whether only the name of the file, or the guest's device, says when an upload was taken: it may be wrong. */
export const isTimeGuessed = ({ takenAtSource }: { takenAtSource?: TakenAtSource | undefined }): boolean =>
  takenAtSource === 'name' || takenAtSource === 'declared'
