import { useId, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import Copy from 'lucide-react/icons/copy'
import type { Event } from '@confetti/contracts'
import { Button, ButtonLink } from '@confetti/ui/button'
import { copyText } from '@confetti/ui/copy-text'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify } from '@confetti/ui/notify'
import { SelectField } from '@confetti/ui/select-field'
import type { EventCalls } from '../event-calls.ts'
import { getText, useText, type TextId } from '../texts.ts'
import styles from './wall-card.module.css'

/** How long a wall shows a photo unless its link says otherwise. */
const DEFAULT_WALL_SECONDS = 8
const wallSeconds = [4, DEFAULT_WALL_SECONDS, 12, 20, 40] as const

interface WallOptions {
  seconds: number
  hasNames: boolean
}

/** The link to a live wall with options; without those that are the default. */
const addWallOptions = (link: string, { seconds, hasNames }: WallOptions): string => {
  const url = new URL(link)
  if (seconds !== DEFAULT_WALL_SECONDS) url.searchParams.set('seconds', String(seconds))
  if (!hasNames) url.searchParams.set('names', 'off')
  return url.href
}

interface Props {
  event: Event
  calls: Pick<EventCalls, 'createWall' | 'deleteWall'>
  onChanged: Dispatch<SetStateAction<Event>>
}

type Question = 'replace' | 'end'

const questions: Readonly<Record<Question, { title: TextId; text: TextId; confirmLabel: TextId }>> = {
  replace: {
    title: 'album.settings.wall.replace.title',
    text: 'album.settings.wall.replace.text',
    confirmLabel: 'album.settings.wall.replace',
  },
  end: {
    title: 'album.settings.wall.end.title',
    text: 'album.settings.wall.end.text',
    confirmLabel: 'album.settings.wall.end',
  },
}

/** The link to the live wall of an event. The server cannot show it again, because it stores only a hash of the key. */
export const WallCard = ({ event, calls, onChanged }: Props) => {
  const t = useText()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const link = useRef<HTMLInputElement>(null)
  const [created, setCreated] = useState<string>()
  const [seconds, setSeconds] = useState(DEFAULT_WALL_SECONDS)
  const [hasNames, setHasNames] = useState(true)
  const url = created === undefined ? undefined : addWallOptions(created, { seconds, hasNames })
  const { isBusy, send } = useForm()
  const [question, setQuestion] = useState<Question>()
  const { hasWall } = event
  const asked = questions[question ?? 'end']

  const run = (call: () => Promise<void>) =>
    send(async () => {
      await call()
      // The button that had the focus may be gone.
      title.current?.focus({ preventScroll: true })
    })
  const create = () =>
    run(async () => {
      setCreated(await calls.createWall())
      onChanged((current) => ({ ...current, hasWall: true }))
      notify({ message: getText('album.settings.wall.created') })
    })
  const end = () =>
    run(async () => {
      await calls.deleteWall()
      setCreated(undefined)
      onChanged((current) => ({ ...current, hasWall: false }))
      notify({ message: getText('album.settings.wall.ended') })
    })
  const copy = (): Promise<void> =>
    copyText(url ?? '', getText('album.settings.wall.copied'), () => link.current?.select())

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {t('album.settings.wall')}
      </h2>
      <p>{t('album.settings.wall.text')}</p>
      {url !== undefined && (
        <>
          <div className={styles.fields}>
            <SelectField
              label={t('album.settings.wall.time')}
              value={seconds}
              onChange={({ target }) => setSeconds(Number(target.value))}
            >
              {wallSeconds.map((value) => (
                <option key={value} value={value}>
                  {t('album.settings.wall.seconds', { count: value })}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('album.settings.wall.names')}
              value={hasNames ? 'on' : 'off'}
              onChange={({ target }) => setHasNames(target.value === 'on')}
            >
              <option value="on">{t('album.settings.wall.names.show')}</option>
              <option value="off">{t('album.settings.wall.names.hide')}</option>
            </SelectField>
          </div>
          <TextField
            ref={link}
            label={t('album.settings.wall.link')}
            readOnly
            value={url}
            hint={t('album.settings.wall.linkHint')}
          />
          <div className={styles.actions}>
            <Button variant="secondary" icon={<Copy size={18} aria-hidden />} onClick={() => void copy()}>
              {t('album.settings.wall.copy')}
            </Button>
            <ButtonLink variant="outline" href={url} target="_blank" rel="noreferrer">
              {t('album.settings.wall.open')}
            </ButtonLink>
          </div>
        </>
      )}
      {hasWall && url === undefined && <p>{t('album.settings.wall.hidden')}</p>}
      <div className={styles.actions}>
        <Button
          variant="secondary"
          aria-disabled={isBusy}
          onClick={() => (hasWall ? setQuestion('replace') : void create())}
        >
          {hasWall ? t('album.settings.wall.replace') : t('album.settings.wall.create')}
        </Button>
        {hasWall && (
          <Button variant="outline" aria-disabled={isBusy} onClick={() => setQuestion('end')}>
            {t('album.settings.wall.end')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={question !== undefined}
        title={t(asked.title)}
        text={t(asked.text)}
        confirmLabel={t(asked.confirmLabel)}
        onConfirm={() => {
          setQuestion(undefined)
          void (question === 'replace' ? create() : end())
        }}
        onCancel={() => setQuestion(undefined)}
      />
    </Card>
  )
}
