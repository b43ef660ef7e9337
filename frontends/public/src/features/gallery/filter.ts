import type { GalleryTotal } from '@confetti/contracts'

/** Whose photos are shown: all without one. */
export type GalleryFilter = { credit: string } | 'mine' | undefined

export interface GalleryFilterProps {
  eventId: string
  total: GalleryTotal | undefined
  filter: GalleryFilter
  /** Whether the gallery shows photos of this guest. */
  hasOwn: boolean
  onFilter: (filter: GalleryFilter) => void
}
