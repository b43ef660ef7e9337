import type { EntryTime } from './archive-entry.ts'

const TAKEN_AT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/

const secondsOf = (text: string): number => Math.floor(Date.parse(text) / 1_000)

/** The time that an upload has in an archive, and its place in the order of entries, in seconds. */
export const getEntryTime = ({
  takenAt,
  uploadedAt,
}: {
  /** ISO 8601, with the zone of the camera if it is known. */
  takenAt?: string | undefined
  uploadedAt: Date
}): { modified: EntryTime; order: number } => {
  const [, local, zone] = TAKEN_AT.exec(takenAt ?? '') ?? []
  if (local && !Number.isNaN(Date.parse(`${local}Z`))) {
    // Without a zone, the order is that of the clocks of the cameras.
    const order = secondsOf(`${local}${zone ?? 'Z'}`)
    return { modified: { local, ...(zone && { unixSeconds: order }) }, order }
  }
  const unixSeconds = Math.floor(uploadedAt.getTime() / 1_000)
  return { modified: { local: uploadedAt.toISOString().slice(0, 19), unixSeconds }, order: unixSeconds }
}
