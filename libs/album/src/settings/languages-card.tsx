import { useId, useState } from 'react'
import { defaultTextLimits, isolateName, isTooLong, type Event } from '@confetti/contracts'
import { getFormatLocale, getLocale, locales } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { getFailureText, getFieldErrors } from '@confetti/ui/failure-text'
import { TextArea, TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { SelectField } from '@confetti/ui/select-field'
import type { EventCalls, EventChange } from '../event-calls.ts'
import { getText, useText } from '../texts.ts'
import styles from './languages-card.module.css'

const { MAX_EVENT_NAME_CHARACTERS, MAX_WELCOME_CHARACTERS } = defaultTextLimits

const names: ReadonlyMap<string, string> = new Map(locales.map(({ tag, name }) => [tag, name]))
const nameOf = (tag: string): string => names.get(tag) ?? tag
const formatLanguages = (tags: readonly string[]): string =>
  new Intl.ListFormat(getFormatLocale(), { type: 'unit' }).format(
    tags.map((tag) => isolateName(getLocale(), nameOf(tag))),
  )

interface Translation {
  name: string
  welcome: string
}

interface FormProps {
  event: Event
  tag: string
  isBusy: boolean
  /** Rejects if it cannot be saved. */
  onSave: (translation: Translation) => Promise<void>
}

const TranslationForm = ({ event, tag, isBusy, onSave }: FormProps) => {
  const t = useText()
  const { name = '', welcome = '' } = event.settings.translations?.[tag] ?? {}
  const [edited, setEdited] = useState<Translation>({ name, welcome })
  const { form, errors, show, clear } = useForm()
  const tooLong = {
    name: isTooLong(edited.name, MAX_EVENT_NAME_CHARACTERS)
      ? t('album.settings.languages.nameTooLong', { max: String(MAX_EVENT_NAME_CHARACTERS) })
      : undefined,
    welcome: isTooLong(edited.welcome, MAX_WELCOME_CHARACTERS)
      ? t('album.settings.welcome.tooLong', { max: String(MAX_WELCOME_CHARACTERS) })
      : undefined,
  }

  const change = (changes: Partial<Translation>): void => {
    setEdited({ ...edited, ...changes })
    for (const field of Object.keys(changes)) clear(field)
  }
  const save = async (): Promise<void> => {
    try {
      await onSave(edited)
    } catch (error) {
      const prefix = `settings.translations.${tag}.`
      show(() =>
        Object.fromEntries(
          Object.entries(getFieldErrors(error)).map(([field, message]) => [
            field.replace(prefix, ''),
            message,
          ]),
        ),
      )
    }
  }

  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(submitEvent) => {
        submitEvent.preventDefault()
        if (!isBusy) void save()
      }}
    >
      <TextField
        label={t('album.settings.languages.name', { language: nameOf(tag) })}
        lang={tag}
        dir="auto"
        value={edited.name}
        onChange={({ target }) => change({ name: target.value })}
        error={errors.name ?? tooLong.name}
        hint={event.name}
      />
      <TextArea
        label={t('album.settings.languages.welcome', { language: nameOf(tag) })}
        lang={tag}
        dir="auto"
        rows={3}
        value={edited.welcome}
        onChange={({ target }) => change({ welcome: target.value })}
        error={errors.welcome ?? tooLong.welcome}
        hint={event.settings.welcome ?? t('album.settings.languages.optional')}
      />
      <Button type="submit" variant="secondary" aria-disabled={isBusy}>
        {t('album.settings.languages.save')}
      </Button>
    </form>
  )
}

interface Props {
  event: Event
  calls: Pick<EventCalls, 'updateEvent'>
  onChanged: (event: Event) => void
}

/** The language of an event, and its name and welcome text in others. */
export const LanguagesCard = ({ event, calls, onChanged }: Props) => {
  const titleId = useId()
  const t = useText()
  const [tag, setTag] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const { language = '', translations = {} } = event.settings
  const translated = Object.keys(translations)

  const update = async (settings: NonNullable<EventChange['settings']>, message: string): Promise<void> => {
    setIsBusy(true)
    try {
      onChanged(await calls.updateEvent({ settings }))
      notify({ message })
    } catch (error) {
      notifyError(getFailureText(error))
      throw error
    } finally {
      setIsBusy(false)
    }
  }

  const saveTranslation = ({ name, welcome }: Translation): Promise<void> => {
    const translation = {
      ...(name.trim() && { name }),
      ...(welcome.trim() && { welcome }),
    }
    return update(
      { translations: { [tag]: Object.keys(translation).length > 0 ? translation : null } },
      getText('album.settings.languages.saved'),
    )
  }

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId}>{t('album.settings.languages')}</h2>
      <SelectField
        label={t('album.settings.languages.event')}
        value={language}
        aria-busy={isBusy}
        onChange={({ target }) => {
          update({ language: target.value || null }, getText('album.settings.languages.languageSaved')).catch(
            () => undefined,
          )
        }}
        hint={t('album.settings.languages.eventHint')}
      >
        <option value="">{t('album.settings.languages.default')}</option>
        {locales
          .filter(({ tag: option }) => option !== 'en')
          .map(({ tag: option, name }) => (
            <option key={option} value={option} lang={option}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label={t('album.settings.languages.into')}
        value={tag}
        onChange={({ target }) => setTag(target.value)}
        hint={
          translated.length > 0
            ? t('album.settings.languages.translated', {
                languages: formatLanguages(translated),
              })
            : t('album.settings.languages.intoHint')
        }
      >
        <option value="">{t('album.settings.languages.choose')}</option>
        {locales.map(({ tag: option, name }) => (
          <option key={option} value={option} lang={option}>
            {name}
          </option>
        ))}
      </SelectField>
      {tag && <TranslationForm key={tag} event={event} tag={tag} isBusy={isBusy} onSave={saveTranslation} />}
    </Card>
  )
}
