import { useEffect, useState } from 'react'
import type { GuestEvent } from '@confetti/contracts'
import { useNavigate } from '@confetti/federation/router'
import { notify, notifyError } from '@confetti/ui/notify'
import type { Thanks } from '../thank-you/thanks-state.ts'
import type { ChosenFile } from './chosen-file.ts'
import type { Progress } from './progress.ts'
import type { SendQueue } from './send-queue.ts'
import { filesText } from './words.ts'

interface Sent {
  event: GuestEvent
  queue: SendQueue
  progress: Progress
  credit: string
}

const failureText = (files: readonly ChosenFile[]): string => {
  const messages = files.filter(({ status }) => status === 'failed').map(({ message }) => message)
  const [first = ''] = messages
  return messages.every((message) => message === first)
    ? first
    : `${filesText(messages.length)} did not arrive.`
}

/** When all is sent: says thank you if all has arrived, or what has failed. `finish` goes on without the failed ones. */
export const useOutcome = ({ event, queue, progress, credit }: Sent): { finish: () => void } => {
  const navigate = useNavigate()
  const [finished, setFinished] = useState(false)
  const { busy, failed, ready, sent, total } = progress
  const over = !busy && total > 0
  const thanks = over && sent > 0 && ((failed === 0 && ready === 0) || finished)

  useEffect(() => {
    // Once, when it is over: not again as the guest removes failed ones.
    const text = over && failureText(queue.state().files)
    if (text) notifyError(text, 'Upload Failed')
  }, [over, queue])

  const { _id: eventId, name: eventName } = event
  useEffect(() => {
    if (!thanks) return
    notify({ message: 'Media uploaded successfully.' })
    const state: Thanks = { count: sent, eventId, eventName, credit }
    // In the place of this page's second entry, which the leave guard made: so Back leads to the form, once.
    void navigate('/thank-you', { state, replace: true })
    return queue.clear
  }, [thanks, sent, eventId, eventName, credit, navigate, queue])

  return { finish: () => setFinished(true) }
}
