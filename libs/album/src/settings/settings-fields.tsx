import { useMemo } from 'react'
import type { Event } from '@confetti/contracts'
import { formatDay } from '@confetti/ui/day'
import { SelectField, TextArea, TextField } from '@confetti/ui/field'
import { Segmented } from '@confetti/ui/segmented'
import type { ListPage } from '../list-pages.ts'
import { CoverField } from './cover-field.tsx'
import styles from './event-settings.module.css'
import {
  MAX_WELCOME_CHARACTERS,
  getLastDay,
  getTimeZone,
  type SettingsEdits,
  type SettingsErrors,
  type SettingsForm,
} from './settings-form.ts'
import type { Cover } from './use-cover.ts'
import { formatTime, listTimeZones } from './wall-clock.ts'

const moderationStates = { off: 'Show at once', approve: 'Approve first' }
const galleryStates = { off: 'Off', on: 'On' }
const moderationHints = {
  off: 'Guests and the live wall see photos as soon as they are ready. You can hide any of them.',
  approve: 'Guests and the live wall see a photo once an organiser has approved it.',
}

const uploadStates = { open: 'Open', closed: 'Closed' }

const describeClosingTime = (event: Event, form: SettingsForm): string => {
  const timeZone = getTimeZone(event, form)
  if (form.uploads === 'closed') return 'Guests see that uploads are closed, whatever the closing time.'
  if (form.uploadsCloseAt) return `In the time zone ${timeZone}. Leave it empty for the default.`
  return event.settings?.uploadsCloseAt
    ? 'Uploads close some days after the end of the event.'
    : `Leave it empty to close on ${formatTime(event.uploadsCloseAt, timeZone)}.`
}

const describeRetention = (event: Event, { keepDays }: SettingsForm, hasMail: boolean): string => {
  const lastDay = getLastDay(event, keepDays)
  if (!lastDay) return 'Leave it empty to keep the event and its photos.'
  const notice = hasMail ? ' Organisers get a mail 14 and 3 days before.' : ''
  return `The event is deleted at the end of ${formatDay(lastDay)}.${notice}`
}

interface Props {
  event: Event
  form: SettingsForm
  errors: SettingsErrors
  isAdmin: boolean
  /** Whether organisers get mails. */
  hasMail: boolean
  cover: Cover
  listPage: ListPage
  onChange: (changes: SettingsEdits) => void
}

/** The fields of an event's settings. */
export const SettingsFields = ({
  event,
  form,
  errors,
  isAdmin,
  hasMail,
  cover,
  listPage,
  onChange,
}: Props) => {
  const zones = useMemo(
    () => listTimeZones(event.timeZone, form.timeZone || undefined),
    [event, form.timeZone],
  )
  const defaultZone = event.settings?.timeZone ? '' : ` (${event.timeZone ?? 'UTC'})`
  return (
    <>
      <Segmented
        label="Guest uploads"
        options={['open', 'closed'] as const}
        value={form.uploads}
        onChange={(uploads) => onChange({ uploads })}
        getLabel={(state) => uploadStates[state]}
      />
      <div className={styles.pair}>
        <TextField
          label="Uploads close at"
          type="datetime-local"
          value={form.uploadsCloseAt}
          onChange={({ target }) => onChange({ uploadsCloseAt: target.value })}
          error={errors.uploadsCloseAt}
          hint={describeClosingTime(event, form)}
        />
        <SelectField
          label="Time zone"
          value={form.timeZone}
          onChange={({ target }) => onChange({ timeZone: target.value })}
          error={errors.timeZone}
          hint="Of the event's days and of the closing time."
        >
          <option value="">{`Default${defaultZone}`}</option>
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label="Welcome text"
        rows={4}
        value={form.welcome}
        onChange={({ target }) => onChange({ welcome: target.value })}
        error={errors.welcome}
        hint={`Optional. Guests read it first. ${[...form.welcome].length} of ${MAX_WELCOME_CHARACTERS} characters.`}
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
      <div className={styles.hinted}>
        <Segmented
          label="New photos"
          options={['off', 'approve'] as const}
          value={form.moderation}
          onChange={(moderation) => onChange({ moderation })}
          getLabel={(state) => moderationStates[state]}
        />
        <p>{moderationHints[form.moderation]}</p>
      </div>
      <div className={styles.pair}>
        <Segmented
          label="Gallery for guests"
          options={['off', 'on'] as const}
          value={form.gallery}
          onChange={(gallery) => onChange({ gallery })}
          getLabel={(state) => galleryStates[state]}
        />
        {form.gallery === 'on' && (
          <TextField
            label="Gallery opens at"
            type="datetime-local"
            value={form.revealAt}
            onChange={({ target }) => onChange({ revealAt: target.value })}
            error={errors.revealAt}
            hint={`In the time zone ${getTimeZone(event, form)}. Leave it empty to open it now.`}
          />
        )}
      </div>
      <TextField
        label="Delete the event with all photos: days after its end"
        type="number"
        inputMode="numeric"
        min={1}
        max={36_500}
        value={form.keepDays}
        onChange={({ target }) => onChange({ keepDays: target.value })}
        error={errors.keepDays}
        hint={describeRetention(event, form, hasMail)}
      />
      {isAdmin && (
        <div className={styles.pair}>
          <TextField
            label="Files at most"
            type="number"
            inputMode="numeric"
            min={1}
            value={form.maxFiles}
            onChange={({ target }) => onChange({ maxFiles: target.value })}
            error={errors.maxFiles}
            hint="Leave it empty for no limit."
          />
          <TextField
            label="Storage at most, in GB"
            type="number"
            inputMode="decimal"
            min={0}
            step="any"
            value={form.maxBytes}
            onChange={({ target }) => onChange({ maxBytes: target.value })}
            error={errors.maxBytes}
            hint="Leave it empty for no limit."
          />
        </div>
      )}
    </>
  )
}
