import { useLayoutEffect, useState } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { useNavigate } from '@confetti/federation/router'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText } from '../../texts.ts'
import type { ThankYouState } from '../thank-you/thank-you-state.ts'
import type { Progress } from './progress.ts'
import type { SelectedFile } from './selected-file.ts'
import type { SendQueue } from './send-queue.ts'

interface Options {
  event: GuestEvent
  queue: SendQueue
  progress: Progress
  credit: string
}

const summariseFailures = (files: readonly SelectedFile[]): string => {
  const messages = files.filter(({ status }) => status === 'failed').map(({ error }) => getFailureText(error))
  const [first = ''] = messages
  return messages.every((message) => message === first)
    ? first
    : getText('upload.failed.count', { count: messages.length })
}

/** Browsers limit the size of a history entry. */
const MAX_LISTED = 100

/** The files that were refused, and others that could not be sent: the first ones with the reasons. */
const getRefused = (files: readonly SelectedFile[]): Pick<ThankYouState, 'refused' | 'refusedCount'> => {
  const refused = files.filter(({ error }) => error !== undefined)
  return {
    refused: refused
      .slice(0, MAX_LISTED)
      .map(({ file, error }) => ({ name: file.name, reason: getFailureText(error) })),
    refusedCount: refused.length,
  }
}

/**
 * When sending is complete, opens the thank-you page, or shows what has failed. `finish` opens the thank-you page, which
 * names the failed files.
 */
export const useOutcome = ({ event, queue, progress, credit }: Options): { finish: () => void } => {
  const navigate = useNavigate()
  const [isFinished, setIsFinished] = useState(false)
  const { busy, failed, ready, sent, total } = progress
  const isComplete = !busy && total > 0
  const showThankYou = isComplete && sent > 0 && ((failed === 0 && ready === 0) || isFinished)

  useLayoutEffect(() => {
    // Reads the files from the queue, so that the effect does not run again when the guest removes failed ones.
    const text = isComplete && summariseFailures(queue.getState().files)
    if (text) notifyError(text, getText('upload.failed.title'))
  }, [isComplete, queue])

  // Before the form can be seen: a guest who follows a link of it would be brought back. Before the thank-you page is
  // seen, the files leave the queue, and so the notice of what is being sent.
  const { _id: eventId, name: eventName } = event
  const hasGallery = event.gallery === 'on'
  useLayoutEffect(() => {
    if (!showThankYou) return
    notify({ message: getText('upload.success') })
    const state: ThankYouState = {
      count: sent,
      eventId,
      eventName,
      credit,
      ...getRefused(queue.getState().files),
      ...(hasGallery && { hasGallery }),
    }
    // Replaces the second history entry of this page, which the leave guard has added. So Back leads to the form.
    void navigate('/thank-you', { state, replace: true })
    return queue.clear
  }, [showThankYou, sent, eventId, eventName, credit, hasGallery, navigate, queue])

  return { finish: () => setIsFinished(true) }
}
