import {
  datesReversed,
  eventDetailFields,
  MAX_TRANSLATIONS,
  type EventChange,
  type EventSettings,
} from '@confetti/contracts'
import { forbidden, invalid, pickDefined } from '@confetti/service-kit'
import type { Organiser, StoredEvent } from '../event.ts'
import { newEventSettings, type Config } from '../config.ts'
import { newPinSalt } from '../pin.ts'
import { computeSchedule, endOfDayAfter, timeZoneOf, withNotice } from '../schedule.ts'

type SettingsChange = NonNullable<EventChange['settings']>

const tooManyTranslations = `An event has translations into ${MAX_TRANSLATIONS} languages at most.`

const withoutMissing = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** Throws `invalid` if there are too many translations. */
const applySettings = (settings: EventSettings, change: SettingsChange): EventSettings => {
  const translations =
    change.translations && withoutMissing({ ...settings.translations, ...change.translations })
  if (translations && Object.keys(translations).length > MAX_TRANSLATIONS)
    throw invalid(tooManyTranslations, {
      details: [
        {
          field: 'settings.translations',
          message: tooManyTranslations,
          code: 'too_big',
          limit: MAX_TRANSLATIONS,
        },
      ],
    })
  return withoutMissing({ ...settings, ...change, ...(translations && { translations }) })
}

const deletesAtOnce = 'The event would be deleted at once. Choose more days.'
const isSameTime = (a: Date | undefined, b: Date | undefined): boolean => a?.getTime() === b?.getTime()

const costLimits = ['maxFiles', 'maxBytes'] as const

/** Throws `forbidden` if an organiser's change allows more than the event or a new event has. */
const checkCostLimits = (
  settings: EventSettings,
  change: SettingsChange,
  limitsOfNewEvents: EventSettings,
): void => {
  for (const limit of costLimits) {
    const wanted = change[limit]
    if (wanted === undefined) continue
    const current = settings[limit] ?? Infinity
    // Without a limit of new events, an admin has set the one that there is.
    const allowed = Math.max(current, limitsOfNewEvents[limit] ?? current)
    if ((wanted ?? Infinity) > allowed)
      throw forbidden('Only an admin can raise this limit.', {
        code: 'limit_too_high',
        details: [
          {
            field: `settings.${limit}`,
            message: `At most ${allowed}.`,
            code: 'limit_too_high',
            limit: allowed,
          },
        ],
      })
  }
}

/**
 * Throws `forbidden` if an organiser's change keeps the event for fewer or more days than the operator allows: by
 * `keepDays`, or by `uploadsCloseAt`, before which no event is deleted.
 */
const checkKeepDays = (
  { endDate, settings, uploadsCloseAt }: StoredEvent,
  { keepDays: wanted, uploadsCloseAt: wantedClosing }: SettingsChange,
  config: Config,
): void => {
  const { MIN_KEEP_DAYS, MAX_KEEP_DAYS } = config
  const { keepDays: current } = settings
  // What an admin has set may be outside of them.
  const least = MIN_KEEP_DAYS === undefined ? 0 : Math.min(MIN_KEEP_DAYS, current ?? MIN_KEEP_DAYS)
  const most = MAX_KEEP_DAYS === undefined ? Infinity : Math.max(MAX_KEEP_DAYS, current ?? Infinity)
  const refuse = (field: 'keepDays' | 'uploadsCloseAt', isTooLow: boolean): never => {
    const code = isTooLow ? 'limit_too_low' : 'limit_too_high'
    const limit = isTooLow ? least : most
    const message = `${isTooLow ? 'At least' : 'At most'} ${limit}.`
    throw forbidden('Only an admin can keep an event for so few or so many days.', {
      code,
      details: [{ field: `settings.${field}`, message, code, limit }],
    })
  }
  const days = wanted === undefined ? undefined : (wanted ?? Infinity)
  if (days !== undefined && (days < least || days > most)) refuse('keepDays', days < least)
  if (most === Infinity || !wantedClosing) return
  const lastDeletion = endOfDayAfter(endDate, most, timeZoneOf(settings, config))
  const closing = new Date(wantedClosing)
  if (closing > lastDeletion && closing > uploadsCloseAt) refuse('uploadsCloseAt', false)
}

/**
 * What a change of an event writes: all of it for admins, its settings for its organisers. Throws `forbidden` and
 * `invalid`.
 */
export const planUpdate = async (
  event: StoredEvent,
  { settings: settingsChange = {}, organisers: organiserIds, ...details }: EventChange,
  {
    isAdmin,
    findOrganiser,
    config,
    now,
  }: {
    isAdmin: boolean
    findOrganiser: (userId: string, field: string) => Promise<Organiser>
    config: Config
    now: Date
  },
) => {
  if (!isAdmin && (organiserIds ?? Object.keys(details).length > 0))
    throw forbidden('Only admins can change this.', { code: 'wrong_role' })
  if (!isAdmin) {
    checkCostLimits(event.settings, settingsChange, newEventSettings(config))
    checkKeepDays(event, settingsChange, config)
  }
  // Those that are organisers of the event already are not looked up.
  const findKnown = (id: string) => event.organisers.find(({ _id }) => _id === id)
  const organisers =
    organiserIds &&
    (await Promise.all(
      organiserIds.map(async (id) => findKnown(id) ?? (await findOrganiser(id, 'organisers'))),
    ))
  const planned = {
    ...pickDefined(event, eventDetailFields),
    ...pickDefined(details, eventDetailFields),
    settings: applySettings(event.settings, settingsChange),
    organisers: organisers ?? event.organisers,
  }
  if (planned.startDate > planned.endDate)
    throw invalid(datesReversed, {
      details: [{ field: 'endDate', message: datesReversed, code: 'end_before_start' }],
    })
  const { uploadsCloseAt, deleteAt } = computeSchedule(planned, config)
  // Otherwise each change would give it more time again.
  const isUnchanged = isSameTime(deleteAt, computeSchedule(event, config).deleteAt)
  const choosesTime =
    details.endDate !== undefined ||
    settingsChange.keepDays !== undefined ||
    settingsChange.uploadsCloseAt !== undefined
  if (deleteAt && deleteAt <= now && !isUnchanged && choosesTime)
    throw invalid(deletesAtOnce, {
      details: [{ field: 'settings.keepDays', message: deletesAtOnce, code: 'deleted_at_once' }],
    })
  return {
    ...planned,
    ...(planned.settings.pin && { pinSalt: event.pinSalt ?? newPinSalt() }),
    uploadsCloseAt,
    deleteAt: isUnchanged ? event.deleteAt : withNotice(deleteAt, now, event.deleteAt),
  }
}
