import { useEffect, useState } from 'react'
import { Button } from '@confetti/ui/button'
import { useText } from '../../../texts.ts'
import { loadUploadCode } from '../load-upload-code.ts'
import { hasUnsentFiles } from './has-unsent-files.ts'

interface Props {
  eventId: string
  /** How many files in the list of the page were not sent. */
  listedCount?: number
}

/** Says how many files of an event that accepts none anymore were not sent. Those of earlier visits can be discarded. */
export const NotSentNotice = ({ eventId, listedCount = 0 }: Props) => {
  const t = useText()
  const [earlierKeys, setEarlierKeys] = useState<readonly string[]>([])

  useEffect(() => {
    if (!hasUnsentFiles()) return
    void loadUploadCode()
      .then((sending) => sending?.getUnsentFiles(eventId).listEarlierKeys())
      .then((keys = []) => setEarlierKeys(keys))
  }, [eventId])

  const discard = (): void => {
    setEarlierKeys([])
    void loadUploadCode().then((sending) => sending?.getUnsentFiles(eventId).remove(earlierKeys))
  }

  const count = listedCount + earlierKeys.length
  if (count === 0) return null
  return (
    <>
      <p>
        <b>{t('event.notSent', { count })}</b>
      </p>
      {earlierKeys.length > 0 && (
        <div>
          <Button variant="outline" onClick={discard}>
            {t('upload.unsent.discard')}
          </Button>
        </div>
      )}
    </>
  )
}
