import { useEffect, useId, useRef, useState } from 'react'
import ListFilter from 'lucide-react/icons/list-filter'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import type { GalleryCredit, GalleryTotal } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { api } from '@confetti/session'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useText as useGalleryText } from '../../gallery-texts.ts'
import { useText } from '../../texts.ts'
import styles from './gallery-filter.module.css'

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

/** The names under which guests have sent what the gallery shows. */
const fetchCredits = async (eventId: string, signal: AbortSignal): Promise<readonly GalleryCredit[]> => {
  const { credits } = await requestWithTimeout(signal, (requestSignal) =>
    api().get('/api/events/{eventId}/gallery/credits', {
      params: { eventId },
      asGuest: true,
      quiet: true,
      signal: requestSignal,
    }),
  )
  const { compare } = new Intl.Collator(getFormatLocale())
  return [...credits].sort((one, other) => compare(one.photoCredit, other.photoCredit))
}

/** From here on there is a field to search them. */
const MANY_NAMES = 12
/** More are found by searching. */
const MAX_SHOWN = 200

const includesText = (name: string, text: string): boolean =>
  name.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())

interface ChoiceProps {
  isChosen: boolean
  files?: number
  onChoose: () => void
  children: string
}

const Choice = ({ isChosen, files, onChoose, children }: ChoiceProps) => (
  <li>
    <button type="button" aria-pressed={isChosen} className={styles.choice} onClick={onChoose}>
      <bdi>{children}</bdi>
      {files !== undefined && <span>{files.toLocaleString(getFormatLocale())}</span>}
    </button>
  </li>
)

interface DialogProps {
  eventId: string
  filter: GalleryFilter
  hasOwn: boolean
  onFilter: (filter: GalleryFilter) => void
  onClose: () => void
}

const FilterDialog = ({ eventId, filter, hasOwn, onFilter, onClose }: DialogProps) => {
  const t = useText()
  const tGallery = useGalleryText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [credits, setCredits] = useState<readonly GalleryCredit[]>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const [searched, setSearched] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    const controller = new AbortController()
    fetchCredits(eventId, controller.signal)
      .then(setCredits)
      .catch((failure: unknown) => {
        if (!controller.signal.aborted) setError(failure)
      })
    return () => controller.abort()
  }, [eventId, attempt])

  const choose = (chosen: GalleryFilter) => () => {
    onFilter(chosen)
    dialog.current?.close()
  }
  const found = credits?.filter(({ photoCredit }) => includesText(photoCredit, searched)) ?? []
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={onClose}>
      <header className={styles.header}>
        <h2 id={`${id}-title`}>{tGallery('gallery.filter')}</h2>
        <IconButton variant="ghost" label={t('common.close')} onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </IconButton>
      </header>
      <ul role="list">
        <Choice isChosen={filter === undefined} onChoose={choose(undefined)}>
          {tGallery('gallery.filter.everyone')}
        </Choice>
        {hasOwn && (
          <Choice isChosen={filter === 'mine'} onChoose={choose('mine')}>
            {tGallery('gallery.filter.mine')}
          </Choice>
        )}
      </ul>
      {!credits && error === undefined && <p role="status">{t('gallery.loadingMore')}</p>}
      {!credits && error !== undefined && (
        <div role="alert" className={styles.failed}>
          <p>{getFailureText(error)}</p>
          <Button
            variant="outline"
            size="small"
            icon={<RotateCw size={16} aria-hidden />}
            onClick={() => {
              setError(undefined)
              setAttempt((before) => before + 1)
            }}
          >
            {t('common.retry')}
          </Button>
        </div>
      )}
      {credits && credits.length > MANY_NAMES && (
        <input
          type="search"
          className={styles.search}
          aria-label={tGallery('gallery.filter.search')}
          placeholder={tGallery('gallery.filter.search')}
          value={searched}
          onChange={({ target }) => setSearched(target.value)}
        />
      )}
      <p role="status" className={styles.none}>
        {credits && searched !== '' && found.length === 0 && tGallery('gallery.filter.none')}
      </p>
      <ul role="list">
        {found.slice(0, MAX_SHOWN).map(({ photoCredit, files }) => (
          <Choice
            key={photoCredit}
            isChosen={typeof filter === 'object' && filter.credit === photoCredit}
            files={files}
            onChoose={choose({ credit: photoCredit })}
          >
            {photoCredit}
          </Choice>
        ))}
      </ul>
    </dialog>
  )
}

/** How many photos of how many people there are, and a button to choose whose are shown. */
export const GalleryFilterBar = ({ total, filter, ...dialogProps }: GalleryFilterProps) => {
  const t = useGalleryText()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setIsOpen(false)
    button.current?.focus()
  }
  const chosen =
    filter === undefined
      ? t('gallery.filter.everyone')
      : filter === 'mine'
        ? t('gallery.filter.mine')
        : filter.credit
  return (
    <>
      <p className={styles.total}>
        {total && t('gallery.total', { count: total.files, people: total.guests })}
      </p>
      <Button
        ref={button}
        variant={filter === undefined ? 'outline' : 'secondary'}
        size="small"
        className={styles.button}
        icon={<ListFilter size={18} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={`${t('gallery.filter')} ${chosen}`}
        onClick={() => setIsOpen(true)}
      >
        <bdi className={styles.chosen}>{chosen}</bdi>
      </Button>
      {isOpen && <FilterDialog filter={filter} {...dialogProps} onClose={close} />}
    </>
  )
}
