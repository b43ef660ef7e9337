import {
  defaultTextLimits,
  isTooLong,
  MAX_CONSENT_CHARACTERS,
  MB,
  pinPattern,
  type Event,
} from '@confetti/contracts'
import { readDraft, writeDraft } from '@confetti/ui/drafts'
import type { EventChange } from '../event-calls.ts'
import { getText } from '../texts.ts'
import { addDays, fromWallClock, toWallClock } from './wall-clock.ts'

const keyOf = (userId: string, eventId: string): string => `settingsDraft:${userId}:${eventId}`

/** The edits of an event's settings that this user has stored in this tab. */
export const loadSettingsDraft = (userId: string, eventId: string): SettingsEdits => {
  const stored = readDraft(keyOf(userId, eventId))
  const isDraft =
    typeof stored === 'object' && stored && Object.values(stored).every((value) => typeof value === 'string')
  return isDraft ? stored : {}
}

/** Stores edits; removes them if there are none. */
export const saveSettingsDraft = (userId: string, eventId: string, edits: SettingsEdits): void =>
  writeDraft(keyOf(userId, eventId), Object.keys(edits).length > 0 ? edits : undefined)

type SettingsChange = NonNullable<EventChange['settings']>

export const { MAX_WELCOME_CHARACTERS } = defaultTextLimits
const { MAX_EVENT_NAME_CHARACTERS } = defaultTextLimits

/** The field of an event's name or welcome text in a language, as the API names it in its errors. */
type TranslationField = `translations.${string}.name` | `translations.${string}.welcome`
export const translationField = (tag: string, text: 'name' | 'welcome'): TranslationField =>
  `translations.${tag}.${text}`
const parseTranslationField = (field: string) => {
  const [, tag, text] = /^translations\.(.+)\.(name|welcome)$/.exec(field) ?? []
  return tag === undefined ? undefined : { tag, isName: text === 'name' }
}

/** The settings as they are in the fields of the form. Empty: the default. */
export interface SettingsForm {
  uploads: 'open' | 'closed'
  /** The value of a `datetime-local` field, in the event's time zone. */
  uploadsCloseAt: string
  timeZone: string
  welcome: string
  language: string
  /** Absent: empty. */
  [translation: TranslationField]: string | undefined
  cover: string
  /** Empty: guests need none. */
  pin: string
  pinInLinks: 'off' | 'on'
  moderation: 'off' | 'approve'
  gallery: 'off' | 'on'
  /** Empty: the default, which depends on the gallery. */
  save: '' | 'off' | 'copy'
  /** The value of a `datetime-local` field, in the event's time zone. Empty: the gallery is open at once. */
  revealAt: string
  /** What guests agree to. Empty: they need not agree to anything. */
  consent: string
  consentUrl: string
  responsible: string
  keepDays: string
  maxFiles: string
  /** `maxBytes` in gigabytes. */
  maxBytes: string
}
export type SettingsEdits = Partial<SettingsForm>
export type SettingsErrors = Readonly<Record<string, string>>

const GB = 1_024 * MB
export const MAX_KEEP_DAYS = 36_500

const toText = (number: number | undefined): string => (number === undefined ? '' : String(number))

/** The settings of an event as the form shows them. */
export const toForm = ({ uploadsOpen, timeZone, settings }: Event): SettingsForm => ({
  uploads: uploadsOpen ? 'open' : 'closed',
  uploadsCloseAt: settings.uploadsCloseAt ? toWallClock(settings.uploadsCloseAt, timeZone) : '',
  timeZone: settings.timeZone ?? '',
  welcome: settings.welcome ?? '',
  language: settings.language ?? '',
  ...Object.fromEntries(
    Object.entries(settings.translations ?? {}).flatMap(([tag, { name = '', welcome = '' }]) => [
      [translationField(tag, 'name'), name],
      [translationField(tag, 'welcome'), welcome],
    ]),
  ),
  cover: settings.cover ?? '',
  pin: settings.pin ?? '',
  pinInLinks: settings.pinInLinks ?? 'on',
  moderation: settings.moderation ?? 'off',
  gallery: settings.gallery ?? 'off',
  save: settings.save ?? '',
  revealAt: settings.revealAt ? toWallClock(settings.revealAt, timeZone) : '',
  consent: settings.consent?.text ?? '',
  consentUrl: settings.consent?.url ?? '',
  responsible: settings.responsible ?? '',
  keepDays: toText(settings.keepDays),
  maxFiles: toText(settings.maxFiles),
  // Six digits are less than a megabyte.
  maxBytes: settings.maxBytes === undefined ? '' : String(Number((settings.maxBytes / GB).toFixed(6))),
})

/** The time zone of the form's times. Which one is the default is known only of events that have it. */
export const getTimeZone = (event: Event, { timeZone }: Pick<SettingsForm, 'timeZone'>): string =>
  timeZone || event.timeZone

/** The edits that differ from what the event has. */
export const findEdits = (event: Event, edits: SettingsEdits): SettingsEdits => {
  const form = toForm(event)
  return Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => (form[field as keyof SettingsForm] ?? '') !== value),
  )
}

/** The edits of texts, which can be found too long while they are typed. */
export const findTexts = (edits: SettingsEdits): SettingsEdits =>
  Object.fromEntries(
    Object.entries(edits).filter(([field]) => field === 'welcome' || parseTranslationField(field)),
  )

/** The languages of which the name or the welcome text was edited. */
export const findTranslations = (edits: SettingsEdits): Set<string> =>
  new Set(Object.keys(edits).flatMap((field) => parseTranslationField(field)?.tag ?? []))

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** Null if both texts are empty: there is none then. */
const toTranslation = (form: SettingsForm, tag: string) => {
  const [name = '', welcome = ''] = [
    form[translationField(tag, 'name')],
    form[translationField(tag, 'welcome')],
  ]
  const translation = { ...(name.trim() && { name }), ...(welcome.trim() && { welcome }) }
  return Object.keys(translation).length > 0 ? translation : null
}

/** What is sent for edits: a value, or null for the default. */
export const toChange = (event: Event, edits: SettingsEdits): SettingsChange => {
  const form = { ...toForm(event), ...edits }
  const change: SettingsChange = {}
  if ('uploads' in edits) change.uploads = form.uploads
  // A time stays the same time of day in another time zone.
  if ('uploadsCloseAt' in edits || ('timeZone' in edits && form.uploadsCloseAt))
    change.uploadsCloseAt = fromWallClock(form.uploadsCloseAt, getTimeZone(event, form)) ?? null
  if ('timeZone' in edits) change.timeZone = form.timeZone || null
  if ('welcome' in edits) change.welcome = form.welcome.trim() ? form.welcome : null
  if ('language' in edits) change.language = form.language || null
  const tags = [...findTranslations(edits)]
  if (tags.length > 0)
    change.translations = Object.fromEntries(tags.map((tag) => [tag, toTranslation(form, tag)]))
  if ('moderation' in edits) change.moderation = form.moderation
  if ('gallery' in edits) change.gallery = form.gallery
  if ('save' in edits) change.save = form.save || null
  if ('revealAt' in edits || ('timeZone' in edits && form.revealAt))
    change.revealAt = fromWallClock(form.revealAt, getTimeZone(event, form)) ?? null
  if ('cover' in edits) change.cover = form.cover || null
  if ('pin' in edits) change.pin = form.pin.trim() || null
  if ('pinInLinks' in edits) change.pinInLinks = form.pinInLinks
  if ('consent' in edits || 'consentUrl' in edits) {
    const url = form.consentUrl.trim()
    change.consent = form.consent.trim() ? { text: form.consent, ...(url && { url }) } : null
  }
  if ('responsible' in edits) change.responsible = form.responsible.trim() ? form.responsible : null
  if ('keepDays' in edits) change.keepDays = toNumber(form.keepDays)
  if ('maxFiles' in edits) change.maxFiles = toNumber(form.maxFiles)
  if ('maxBytes' in edits) {
    const gigabytes = toNumber(form.maxBytes)
    change.maxBytes = gigabytes === null ? null : Math.round(gigabytes * GB)
  }
  return change
}

/** Whether guests can save copies with the settings of the form. */
export const getSave = ({ savesWithGallery }: Event, { save, gallery }: SettingsForm): 'off' | 'copy' =>
  save || (savesWithGallery && gallery === 'on' ? 'copy' : 'off')

const isCount = (text: string): boolean => /^\d{1,15}$/.test(text.trim()) && Number(text) > 0

/** When uploads close with the settings of the form; undefined if that is not known. */
export const getClosingTime = (event: Event, form: SettingsForm): string | undefined => {
  if (form.uploadsCloseAt) return fromWallClock(form.uploadsCloseAt, getTimeZone(event, form))
  // The default is known only where it applies.
  return event.settings.uploadsCloseAt ? undefined : event.uploadsCloseAt
}

/** The last day on which guests can upload, as far as that is known. */
const getClosingDay = (event: Event, form: SettingsForm): string => {
  const closingTime = getClosingTime(event, form)
  if (closingTime === undefined) return ''
  const lastMoment = new Date(Date.parse(closingTime) - 1).toISOString()
  return toWallClock(lastMoment, getTimeZone(event, form)).slice(0, 'yyyy-MM-dd'.length)
}

/** The last day of an event that is not kept forever. It is kept at least until its uploads close. */
export const getLastDay = (event: Event, form: SettingsForm): string | undefined => {
  const { keepDays } = form
  if (!isCount(keepDays) || Number(keepDays) > MAX_KEEP_DAYS) return undefined
  const [lastDay, closingDay] = [addDays(event.endDate, Number(keepDays)), getClosingDay(event, form)]
  return lastDay > closingDay ? lastDay : closingDay
}

/** Whether guests can upload with the settings of the form, as far as that is known. */
export const areUploadsOpen = (event: Event, form: SettingsForm, now = Date.now()): boolean => {
  const closingTime = getClosingTime(event, form)
  return form.uploads === 'open' && (closingTime === undefined || Date.parse(closingTime) > now)
}

const checkClosingTime = (event: Event, form: SettingsForm, now: number): string | undefined =>
  form.uploads === 'closed' || areUploadsOpen(event, form, now)
    ? undefined
    : getText('album.settings.closing.passed')

const checkKeepDays = (event: Event, form: SettingsForm, now: number): string | undefined => {
  const { keepDays } = form
  if (!keepDays.trim()) return undefined
  if (!isCount(keepDays)) return getText('album.settings.keep.invalid')
  const lastDay = getLastDay(event, form)
  if (lastDay === undefined) return getText('album.settings.keep.tooLong', { max: MAX_KEEP_DAYS })
  return Date.parse(lastDay) <= now ? getText('album.settings.keep.passed') : undefined
}

const checkWelcome = (text: string): string | undefined =>
  isTooLong(text, MAX_WELCOME_CHARACTERS)
    ? getText('album.settings.welcome.tooLong', { max: String(MAX_WELCOME_CHARACTERS) })
    : undefined
const checkName = (text: string): string | undefined =>
  isTooLong(text, MAX_EVENT_NAME_CHARACTERS)
    ? getText('album.settings.languages.nameTooLong', { max: String(MAX_EVENT_NAME_CHARACTERS) })
    : undefined

const isSecureUrl = (text: string): boolean => {
  try {
    return new URL(text).protocol === 'https:'
  } catch {
    return false
  }
}

const checkConsentText = (text: string): string | undefined =>
  isTooLong(text, MAX_CONSENT_CHARACTERS)
    ? getText('album.settings.consent.tooLong', { max: String(MAX_CONSENT_CHARACTERS) })
    : undefined

/** What is wrong with the fields that were edited. */
export const validate = (event: Event, edits: SettingsEdits, now = Date.now()): SettingsErrors => {
  const form = { ...toForm(event), ...edits }
  const isEdited = (...fields: (keyof SettingsForm)[]): boolean => fields.some((field) => field in edits)
  const gigabytes = Number(form.maxBytes)
  const errors: Partial<Record<keyof SettingsForm, string | undefined>> = {
    uploadsCloseAt: isEdited('uploads', 'uploadsCloseAt', 'timeZone')
      ? checkClosingTime(event, form, now)
      : undefined,
    welcome: checkWelcome(form.welcome),
    ...Object.fromEntries(
      Object.entries(edits).flatMap(([field, value = '']) => {
        const translation = parseTranslationField(field)
        return translation ? [[field, translation.isName ? checkName(value) : checkWelcome(value)]] : []
      }),
    ),
    pin:
      form.pin.trim() && !pinPattern.test(form.pin.trim())
        ? getText('album.settings.pin.invalid')
        : undefined,
    consent: checkConsentText(form.consent),
    consentUrl:
      form.consentUrl.trim() && !isSecureUrl(form.consentUrl.trim())
        ? getText('album.settings.consentUrl.invalid')
        : undefined,
    responsible: checkConsentText(form.responsible),
    keepDays: isEdited('keepDays') ? checkKeepDays(event, form, now) : undefined,
    maxFiles:
      form.maxFiles && !isCount(form.maxFiles) ? getText('album.settings.maxFiles.invalid') : undefined,
    maxBytes: form.maxBytes && !(gigabytes > 0) ? getText('album.settings.maxBytes.invalid') : undefined,
  }
  return Object.fromEntries(
    Object.entries<string | undefined>(errors).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}

/** The messages of the server by field of the form: 'settings.welcome' is that of `welcome`. */
export const toFormErrors = (fieldErrors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrors).map(([field, message]) => [
      field
        .replace(/^settings\./, '')
        .replace('consent.url', 'consentUrl')
        .replace('consent.text', 'consent'),
      message,
    ]),
  )
