import type { Upload, UploadVisibility } from '@confetti/contracts'
import { getVisibility } from './gallery-view.ts'

/** Changes the visibility of uploads. */
export type ChangeVisibility = (uploads: readonly Upload[], visibility: UploadVisibility) => void

export interface VisibilityAction {
  kind: 'approve' | 'show' | 'hide'
  visibility: UploadVisibility
}

const approve: VisibilityAction = { kind: 'approve', visibility: 'visible' }
const show: VisibilityAction = { kind: 'show', visibility: 'visible' }
const hide: VisibilityAction = { kind: 'hide', visibility: 'hidden' }

const actions: Readonly<Record<UploadVisibility, readonly VisibilityAction[]>> = {
  visible: [hide],
  pending: [approve, hide],
  hidden: [show],
}

/** What can be done about the visibility of an upload. */
export const getVisibilityActions = (upload: Upload): readonly VisibilityAction[] =>
  actions[getVisibility(upload)]

/** What can be done about the visibility of some of the uploads, with those that it applies to. */
export const groupVisibilityActions = (
  uploads: readonly Upload[],
): readonly (VisibilityAction & { uploads: readonly Upload[] })[] =>
  [approve, show, hide]
    .map((action) => ({
      ...action,
      uploads: uploads.filter((upload) => getVisibilityActions(upload).includes(action)),
    }))
    .filter((group) => group.uploads.length > 0)
