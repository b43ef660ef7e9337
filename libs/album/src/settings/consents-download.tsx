import { useState } from 'react'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { saveFile } from '../fetch-chunks.ts'
import { getText, useText } from '../texts.ts'
import type { SettingsCalls } from './event-settings.tsx'

/** Saves the list of what was agreed to with each upload. */
export const ConsentsDownload = ({ loadConsents }: Pick<SettingsCalls, 'loadConsents'>) => {
  const t = useText()
  const [isLoading, setIsLoading] = useState(false)
  const download = async (): Promise<void> => {
    setIsLoading(true)
    try {
      saveFile(new Blob([await loadConsents()], { type: 'text/csv' }), 'consents.csv')
    } catch (error) {
      notifyError(getFailureText(error), getText('album.download.failed'))
    } finally {
      setIsLoading(false)
    }
  }
  return (
    <div>
      <Button variant="outline" aria-disabled={isLoading} onClick={() => !isLoading && void download()}>
        {t('album.settings.consents')}
      </Button>
    </div>
  )
}
