import { useState } from 'react'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { defaultTextLimits, isTooLong } from '@confetti/contracts'
import { api } from '@confetti/session'
import { EditInPlace } from '@confetti/ui/edit-in-place'
import { notify } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { asOwner } from './as-owner.ts'
import { rememberGuestName } from '../upload/upload-history.ts'

const { MAX_CREDIT_CHARACTERS } = defaultTextLimits

const renameOwnUploads = (eventId: string, photoCredit: string) =>
  requestWithTimeout(undefined, (signal) =>
    api().patch('/api/guest/uploads', { body: { eventId, photoCredit }, ...asOwner(), signal }),
  )

const findError = (name: string): string | undefined => {
  if (!name) return getText('upload.credit.missing')
  return isTooLong(name, MAX_CREDIT_CHARACTERS)
    ? getText('upload.credit.tooLong', { max: MAX_CREDIT_CHARACTERS })
    : undefined
}

interface Props {
  eventId: string
  /** The name that the newest upload has. */
  name: string
  /** What is being sent arrives under the name that it was sent with: the guest waits for it. */
  isSending: boolean
  onRenamed: (name: string) => void
}

/** The name under which the guest has sent photos, and a form that changes it for all of them. */
export const RenameForm = ({ eventId, name, isSending, onRenamed }: Props) => {
  const t = useText()
  // Until the list says so.
  const [given, setGiven] = useState({ before: '', after: '' })
  const shown = given.before === name ? given.after : name

  return (
    <EditInPlace
      value={shown}
      editLabel={t('own.rename')}
      label={t('upload.credit.label')}
      saveLabel={t('own.rename.save')}
      disabled={isSending}
      findError={findError}
      onSave={async (changed) => {
        await renameOwnUploads(eventId, changed)
        rememberGuestName(changed)
        setGiven({ before: name, after: changed })
        notify({ message: getText('own.renamed', { name: changed }) })
        onRenamed(changed)
      }}
    >
      <bdi>{t('own.sentAs', { name: shown })}</bdi>
    </EditInPlace>
  )
}
