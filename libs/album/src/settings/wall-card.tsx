import { useId, useRef, useState } from 'react'
import Copy from 'lucide-react/icons/copy'
import { getErrorMessage } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { Button, ButtonLink } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { SelectField, TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import type { SettingsCalls } from './event-settings.tsx'
import { addWallOptions, DEFAULT_WALL_SECONDS, wallSeconds } from './wall-link.ts'
import styles from './wall-card.module.css'

interface Props {
  event: Event
  calls: Pick<SettingsCalls, 'createWall' | 'deleteWall'>
  onChanged: (event: Event) => void
}

type Question = 'replace' | 'end'

const questions: Readonly<Record<Question, { title: string; text: string; confirmLabel: string }>> = {
  replace: {
    title: 'Create a new link?',
    text: 'The link that you have created before ends, and screens that show it stop.',
    confirmLabel: 'Create new link',
  },
  end: {
    title: 'End the live wall?',
    text: 'Its link ends, and screens that show it stop.',
    confirmLabel: 'End live wall',
  },
}

/** The link to the live wall of an event. The server cannot show it again, because it stores only a hash of the key. */
export const WallCard = ({ event, calls, onChanged }: Props) => {
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const link = useRef<HTMLInputElement>(null)
  const [created, setCreated] = useState<string>()
  const [seconds, setSeconds] = useState(DEFAULT_WALL_SECONDS)
  const [hasNames, setHasNames] = useState(true)
  const url = created === undefined ? undefined : addWallOptions(created, { seconds, hasNames })
  const [isBusy, setIsBusy] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const hasWall = event.hasWall === true

  const run = async (call: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await call()
      // The button that had the focus may be gone.
      title.current?.focus({ preventScroll: true })
    } catch (error) {
      notifyError(getErrorMessage(error))
    } finally {
      setIsBusy(false)
    }
  }
  const create = () =>
    run(async () => {
      setCreated(await calls.createWall())
      onChanged({ ...event, hasWall: true })
      notify({ message: 'Link created' })
    })
  const end = () =>
    run(async () => {
      await calls.deleteWall()
      setCreated(undefined)
      onChanged({ ...event, hasWall: false })
      notify({ message: 'Live wall ended' })
    })
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url ?? '')
      notify({ message: 'Link copied' })
    } catch {
      // Pages without TLS have no clipboard.
      link.current?.select()
    }
  }

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        Live wall
      </h2>
      <p>Shows the photos of your guests on a projector or a TV, full screen, as they arrive.</p>
      {url !== undefined && (
        <>
          <div className={styles.fields}>
            <SelectField
              label="Time for each photo"
              value={seconds}
              onChange={({ target }) => setSeconds(Number(target.value))}
            >
              {wallSeconds.map((value) => (
                <option key={value} value={value}>{`${value} seconds`}</option>
              ))}
            </SelectField>
            <SelectField
              label="Names of guests"
              value={hasNames ? 'on' : 'off'}
              onChange={({ target }) => setHasNames(target.value === 'on')}
            >
              <option value="on">Show</option>
              <option value="off">Hide</option>
            </SelectField>
          </div>
          <TextField
            ref={link}
            label="Link to the live wall"
            readOnly
            value={url}
            hint="Open it on the screen at your event. It is shown here once: copy it now. Everybody with the link sees the photos."
          />
          <div className={styles.actions}>
            <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
              Copy link
            </Button>
            <ButtonLink variant="outline" href={url} target="_blank" rel="noreferrer">
              Open live wall
            </ButtonLink>
          </div>
        </>
      )}
      {hasWall && url === undefined && (
        <p>There is a link. It can&apos;t be shown again, but you can replace it.</p>
      )}
      <div className={styles.actions}>
        <Button
          variant="secondary"
          aria-disabled={isBusy}
          onClick={() => (hasWall ? setQuestion('replace') : void create())}
        >
          {hasWall ? 'Create new link' : 'Create link'}
        </Button>
        {hasWall && (
          <Button variant="outline" aria-disabled={isBusy} onClick={() => setQuestion('end')}>
            End live wall
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={question !== undefined}
        {...questions[question ?? 'end']}
        onConfirm={() => {
          setQuestion(undefined)
          void (question === 'replace' ? create() : end())
        }}
        onCancel={() => setQuestion(undefined)}
      />
    </Card>
  )
}
