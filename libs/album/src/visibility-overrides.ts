import type { Upload, UploadVisibility } from '@confetti/contracts'

interface Override {
  visibility: UploadVisibility
  storedAt: number | undefined
}

/**
 * Visibilities that were changed on this page. A list that was requested before the server has stored a change still has
 * the old one, which is corrected here.
 */
export const createVisibilityOverrides = (now = Date.now) => {
  const overrides = new Map<string, Override>()
  const isWrong = ({ _id, visibility }: Upload): boolean =>
    overrides.has(_id) && overrides.get(_id)?.visibility !== visibility
  const apply = (uploads: readonly Upload[]): readonly Upload[] =>
    uploads.some(isWrong)
      ? uploads.map((upload) =>
          isWrong(upload) ? { ...upload, visibility: overrides.get(upload._id)?.visibility } : upload,
        )
      : uploads

  return {
    /** Sets the visibility of uploads. Returns a function to be called when the server has stored it. */
    set: (ids: readonly string[], visibility: UploadVisibility): (() => void) => {
      const override: Override = { visibility, storedAt: undefined }
      for (const id of ids) overrides.set(id, override)
      return () => {
        override.storedAt = now()
      }
    },
    /** Corrects the list that is shown. */
    apply,
    /** To be called when a list is requested. Returns a function that corrects the response. */
    trackRequest: () => {
      const requestedAt = now()
      return (uploads: readonly Upload[]): readonly Upload[] => {
        for (const [id, { storedAt }] of overrides)
          if (storedAt !== undefined && storedAt < requestedAt) overrides.delete(id)
        return apply(uploads)
      }
    },
  }
}
