import { z } from 'zod'
import { uploadId } from '../ids.ts'
import {
  defaultTextLimits,
  MAX_CONSENT_CHARACTERS,
  MAX_URL_CHARACTERS,
  tooLongMessage,
  type TextLimits,
  pinPattern,
} from '../text-limits.ts'
import { requiredText } from '../text.ts'

const isTimeZone = (zone: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const isLanguageTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
const MAX_LANGUAGE_TAG_CHARACTERS = 35
export const MAX_TRANSLATIONS = 30
const unknownLanguage = 'This is not a language.'

/** A language tag of BCP 47, such as 'de' or 'pt-BR'. */
const languageTag = z
  .string({ error: unknownLanguage })
  .max(MAX_LANGUAGE_TAG_CHARACTERS, { error: unknownLanguage })
  .refine(isLanguageTag, { error: unknownLanguage })

type SettingLimits = Pick<TextLimits, 'MAX_EVENT_NAME_CHARACTERS' | 'MAX_WELCOME_CHARACTERS'>

/** What organisers have translated for guests into one language. */
const translation = (limits: SettingLimits) =>
  z
    .object({
      name: requiredText(
        limits.MAX_EVENT_NAME_CHARACTERS,
        'The translated name is empty.',
        tooLongMessage('event name', limits.MAX_EVENT_NAME_CHARACTERS),
      ),
      welcome: requiredText(
        limits.MAX_WELCOME_CHARACTERS,
        'The translated welcome text is empty.',
        tooLongMessage('welcome text', limits.MAX_WELCOME_CHARACTERS),
      ),
    })
    .partial()

const badPin = 'A PIN has 4 to 12 letters or digits.'
const noConsentText = 'The text that guests agree to is empty.'
const noConsentUrl = 'The address of the terms must begin with https://.'

/** What guests must agree to before they send anything. */
const consent = z.object(
  {
    text: requiredText(
      MAX_CONSENT_CHARACTERS,
      noConsentText,
      tooLongMessage('text that guests agree to', MAX_CONSENT_CHARACTERS),
    ),
    /** The page with the terms. */
    url: z
      .url({ protocol: /^https$/, error: noConsentUrl })
      .max(MAX_URL_CHARACTERS, { error: noConsentUrl })
      .optional(),
  },
  { error: noConsentText },
)

const positiveCount = (what: string) =>
  z.int({ error: `${what} must be a whole number.` }).positive({ error: `${what} must be at least 1.` })

/** What organisers decide about their event. Without a limit there is none. */
const eventSettings = (limits: SettingLimits) =>
  z.object({
    /** 'closed': no more uploads, whatever `uploadsCloseAt` says. */
    uploads: z.enum(['open', 'closed'], { error: "Uploads are either 'open' or 'closed'." }),
    /** Instead of the end of the grace days after `endDate`. */
    uploadsCloseAt: z.iso.datetime({ error: 'The time at which uploads close is not valid.' }),
    timeZone: z
      .string({ error: 'This is not a time zone.' })
      .refine(isTimeZone, { error: 'This is not a time zone.' }),
    /** Shown to guests. */
    welcome: requiredText(
      limits.MAX_WELCOME_CHARACTERS,
      'The welcome text is empty.',
      tooLongMessage('welcome text', limits.MAX_WELCOME_CHARACTERS),
    ),
    /** Of guests whose own languages there is no translation for. */
    language: languageTag,
    /** By language. */
    translations: z.record(languageTag, translation(limits)),
    /** The photo of the event that guests see as its cover. */
    cover: uploadId,
    /** What guests enter before they see the event. Only managers read it. */
    pin: z.string({ error: badPin }).regex(pinPattern, { error: badPin }),
    /** Whether the links for guests open the event without the PIN; absent: on. */
    pinInLinks: z.enum(['off', 'on'], { error: "The PIN in links is either 'off' or 'on'." }),
    /** 'approve': guests see an upload once an organiser has approved it. */
    moderation: z.enum(['off', 'approve'], { error: "Moderation is either 'off' or 'approve'." }),
    /** Whether guests see what others have sent. */
    gallery: z.enum(['off', 'on'], { error: "The gallery is either 'off' or 'on'." }),
    /** 'copy': guests can save copies of what they see, without the metadata of the originals. */
    save: z.enum(['off', 'copy'], { error: "Saving is either 'off' or 'copy'." }),
    /** When guests see the gallery; at once without it. */
    revealAt: z.iso.datetime({ error: 'The time at which the gallery opens is not valid.' }),
    maxFiles: positiveCount('The number of files'),
    maxBytes: positiveCount('The number of bytes'),
    /** Days after `endDate` after which the event is deleted. */
    keepDays: positiveCount('The number of days').max(
      36_500,
      'An event can be kept for 36,500 days at most.',
    ),
    consent,
    /** Who is responsible for what guests send, and how to reach them. Shown to guests. */
    responsible: requiredText(
      MAX_CONSENT_CHARACTERS,
      'The text about who is responsible is empty.',
      tooLongMessage('text about who is responsible', MAX_CONSENT_CHARACTERS),
    ),
  })

export const storedSettings = eventSettings(defaultTextLimits).partial()
/** The settings that were made for an event. */
export type EventSettings = z.infer<typeof storedSettings>

/** A change of settings. What is absent stays; what is null gets its default again. */
export const settingsChange = (limits: SettingLimits) => {
  const { shape } = eventSettings(limits)
  return z
    .object({
      uploads: shape.uploads.nullable(),
      uploadsCloseAt: shape.uploadsCloseAt.nullable(),
      timeZone: shape.timeZone.nullable(),
      welcome: shape.welcome.nullable(),
      language: shape.language.nullable(),
      /** What is absent stays, a language that is null is removed. */
      translations: z
        .record(languageTag, translation(limits).nullable(), { error: 'Translations are texts by language.' })
        .nullable(),
      cover: shape.cover.nullable(),
      pin: shape.pin.nullable(),
      pinInLinks: shape.pinInLinks.nullable(),
      moderation: shape.moderation.nullable(),
      gallery: shape.gallery.nullable(),
      save: shape.save.nullable(),
      revealAt: shape.revealAt.nullable(),
      maxFiles: shape.maxFiles.nullable(),
      maxBytes: shape.maxBytes.nullable(),
      keepDays: shape.keepDays.nullable(),
      consent: shape.consent.nullable(),
      responsible: shape.responsible.nullable(),
    } satisfies Record<keyof EventSettings, z.ZodType>)
    .partial()
}
