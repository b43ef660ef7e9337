import { useId } from 'react'
import type { Event } from '@confetti/contracts'
import { formatDay } from '@confetti/ui/day'
import { TextArea, TextField } from '@confetti/ui/field'
import { Segmented } from '@confetti/ui/segmented'
import type { ListPage } from '../load-uploads.ts'
import { ConsentsDownload } from './consents-download.tsx'
import type { SettingsCalls } from './event-settings.tsx'
import { useText, type Text } from '../texts.ts'
import { CoverField, type Cover } from './cover-field.tsx'
import styles from './event-settings.module.css'
import { LanguagesFields } from './languages-fields.tsx'
import {
  getLastDay,
  getSave,
  getTimeZone,
  MAX_KEEP_DAYS,
  MAX_WELCOME_CHARACTERS,
  type SettingsEdits,
  type SettingsErrors,
  type SettingsForm,
} from './settings-form.ts'
import { formatTime } from './wall-clock.ts'
import { TimeZoneField } from './time-zone-field.tsx'

const moderationStates = {
  off: 'album.settings.moderation.off',
  approve: 'album.settings.moderation.approve',
} as const
const galleryStates = { off: 'album.settings.gallery.off', on: 'album.settings.gallery.on' } as const
const saveStates = { off: 'album.settings.copies.off', copy: 'album.settings.copies.copy' } as const
const pinInLinksStates = {
  on: 'album.settings.pinInLinks.on',
  off: 'album.settings.pinInLinks.off',
} as const
const pinInLinksHints = {
  on: 'album.settings.pinInLinks.onHint',
  off: 'album.settings.pinInLinks.offHint',
} as const
const moderationHints = {
  off: 'album.settings.moderation.offHint',
  approve: 'album.settings.moderation.approveHint',
} as const

const uploadStates = { open: 'album.settings.uploads.open', closed: 'album.settings.uploads.closed' } as const

const describeClosingTime = (t: Text, event: Event, form: SettingsForm): string => {
  const timeZone = getTimeZone(event, form)
  if (form.uploads === 'closed') return t('album.settings.closing.closed')
  if (form.uploadsCloseAt) return t('album.settings.closing.inZone', { timeZone })
  return event.settings.uploadsCloseAt
    ? t('album.settings.closing.default')
    : t('album.settings.closing.defaultAt', { time: formatTime(event.uploadsCloseAt, timeZone) })
}

const describeRetention = (t: Text, event: Event, form: SettingsForm, hasMail: boolean): string => {
  const lastDay = getLastDay(event, form)
  if (!lastDay) return t('album.settings.keep.forever')
  const day = formatDay(lastDay)
  return hasMail ? t('album.settings.keep.untilWithMail', { day }) : t('album.settings.keep.until', { day })
}

interface Props {
  event: Event
  form: SettingsForm
  /** What has changed in the form, and is not saved. */
  edits: SettingsEdits
  errors: SettingsErrors
  isAdmin: boolean
  /** Whether organisers get mails. */
  hasMail: boolean
  cover: Cover
  listPage: ListPage
  loadConsents: SettingsCalls['loadConsents']
  onChange: (changes: SettingsEdits) => void
}

/** The fields of an event's settings. */
export const SettingsFields = ({
  event,
  form,
  edits,
  errors,
  isAdmin,
  hasMail,
  cover,
  listPage,
  loadConsents,
  onChange,
}: Props) => {
  const t = useText()
  const deletionId = useId()
  const defaultZone = event.settings.timeZone
    ? t('album.settings.zone.default')
    : t('album.settings.zone.defaultIs', { timeZone: event.timeZone })
  type TextFieldName = Exclude<
    keyof SettingsForm,
    | 'uploads'
    | 'timeZone'
    | 'moderation'
    | 'gallery'
    | 'save'
    | 'cover'
    | 'pinInLinks'
    | 'language'
    | `translations.${string}`
  >
  const bind = (field: TextFieldName) => ({
    value: form[field],
    error: errors[field],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
  })
  return (
    <>
      <Segmented
        label={t('album.settings.uploads')}
        options={['open', 'closed'] as const}
        value={form.uploads}
        onChange={(uploads) => onChange({ uploads })}
        getLabel={(state) => t(uploadStates[state])}
      />
      <div className={styles.pair}>
        <TextField
          label={t('album.settings.closing')}
          type="datetime-local"
          {...bind('uploadsCloseAt')}
          hint={describeClosingTime(t, event, form)}
        />
        <TimeZoneField
          value={form.timeZone}
          error={errors.timeZone}
          otherZone={event.timeZone}
          onChange={(timeZone) => onChange({ timeZone })}
        >
          <option value="">{defaultZone}</option>
        </TimeZoneField>
      </div>
      <TextArea
        label={t('album.settings.welcome')}
        dir="auto"
        rows={4}
        {...bind('welcome')}
        hint={t('album.settings.welcome.hint', {
          count: String([...form.welcome].length),
          max: String(MAX_WELCOME_CHARACTERS),
        })}
      />
      <CoverField
        eventId={event._id}
        value={form.cover}
        url={cover.findUrl(form.cover)}
        error={errors.cover}
        listPage={listPage}
        onChange={(upload) => {
          if (upload) cover.addUrl(upload)
          onChange({ cover: upload?._id ?? '' })
        }}
      />
      <TextField
        label={t('album.settings.pin')}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        {...bind('pin')}
        hint={t('album.settings.pin.hint')}
      />
      {form.pin.trim() && (
        <div className={styles.hinted}>
          <Segmented
            label={t('album.settings.pinInLinks')}
            options={['on', 'off'] as const}
            value={form.pinInLinks}
            onChange={(pinInLinks) => onChange({ pinInLinks })}
            getLabel={(state) => t(pinInLinksStates[state])}
          />
          <p>{t(pinInLinksHints[form.pinInLinks])}</p>
        </div>
      )}
      <div className={styles.hinted}>
        <Segmented
          label={t('album.settings.moderation')}
          options={['off', 'approve'] as const}
          value={form.moderation}
          onChange={(moderation) => onChange({ moderation })}
          getLabel={(state) => t(moderationStates[state])}
        />
        <p>{t(moderationHints[form.moderation])}</p>
      </div>
      <div className={styles.pair}>
        <Segmented
          label={t('album.settings.gallery')}
          options={['off', 'on'] as const}
          value={form.gallery}
          onChange={(gallery) => onChange({ gallery })}
          getLabel={(state) => t(galleryStates[state])}
        />
        {form.gallery === 'on' && (
          <TextField
            label={t('album.settings.reveal')}
            type="datetime-local"
            {...bind('revealAt')}
            hint={t('album.settings.reveal.hint', { timeZone: getTimeZone(event, form) })}
          />
        )}
      </div>
      <div className={styles.hinted}>
        <Segmented
          label={t('album.settings.copies')}
          options={['off', 'copy'] as const}
          value={getSave(event, form)}
          onChange={(save) => onChange({ save })}
          getLabel={(state) => t(saveStates[state])}
        />
        <p>{t('album.settings.copies.hint')}</p>
      </div>
      <TextArea
        label={t('album.settings.consent')}
        dir="auto"
        rows={3}
        {...bind('consent')}
        hint={t('album.settings.consent.hint')}
      />
      {form.consent.trim() && (
        <TextField label={t('album.settings.consentUrl')} type="url" dir="ltr" {...bind('consentUrl')} />
      )}
      {event.settings.consent && <ConsentsDownload loadConsents={loadConsents} />}
      <TextArea
        label={t('album.settings.responsible')}
        dir="auto"
        rows={3}
        {...bind('responsible')}
        hint={t('album.settings.responsible.hint')}
      />
      {isAdmin && (
        <div className={styles.pair}>
          <TextField
            label={t('album.settings.maxFiles')}
            type="number"
            inputMode="numeric"
            min={1}
            {...bind('maxFiles')}
            hint={t('album.settings.noLimit')}
          />
          <TextField
            label={t('album.settings.maxBytes')}
            type="number"
            inputMode="decimal"
            min={0}
            step="any"
            {...bind('maxBytes')}
            hint={t('album.settings.noLimit')}
          />
        </div>
      )}
      <LanguagesFields event={event} form={form} edits={edits} errors={errors} onChange={onChange} />
      <section aria-labelledby={deletionId} className={`${styles.section} ${styles.deletion}`}>
        <h2 id={deletionId}>{t('album.settings.deletion')}</h2>
        <TextField
          label={t('album.settings.keep')}
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_KEEP_DAYS}
          {...bind('keepDays')}
          hint={describeRetention(t, event, form, hasMail)}
        />
      </section>
    </>
  )
}
