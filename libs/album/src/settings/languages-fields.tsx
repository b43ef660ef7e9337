import { Fragment, useId, useState } from 'react'
import { isolateName, type Event } from '@confetti/contracts'
import { getFormatLocale, getLocale, locales } from '@confetti/i18n'
import { TextArea, TextField } from '@confetti/ui/field'
import { SelectField } from '@confetti/ui/select-field'
import { useText } from '../texts.ts'
import styles from './event-settings.module.css'
import {
  findTranslations,
  translationField,
  type SettingsEdits,
  type SettingsErrors,
  type SettingsForm,
} from './settings-form.ts'

const names: ReadonlyMap<string, string> = new Map(locales.map(({ tag, name }) => [tag, name]))
const nameOf = (tag: string): string => names.get(tag) ?? tag
const formatLanguages = (tags: readonly string[]): string =>
  new Intl.ListFormat(getFormatLocale(), { type: 'unit' }).format(
    tags.map((tag) => isolateName(getLocale(), nameOf(tag))),
  )

interface Props {
  event: Event
  form: SettingsForm
  /** What has changed in the form, and is not saved. */
  edits: SettingsEdits
  errors: SettingsErrors
  onChange: (changes: SettingsEdits) => void
}

/**
 * The language of an event, and its name and welcome text in others: in the one that is chosen, and in those that have unsaved
 * changes.
 */
export const LanguagesFields = ({ event, form, edits, errors, onChange }: Props) => {
  const titleId = useId()
  const t = useText()
  const [chosen, setChosen] = useState('')
  const { translations = {}, welcome } = event.settings
  const translated = Object.keys(translations)
  const shown = new Set([...findTranslations(edits), ...(chosen ? [chosen] : [])])
  const bind = (tag: string, text: 'name' | 'welcome') => {
    const field = translationField(tag, text)
    return {
      lang: tag,
      dir: 'auto',
      value: form[field] ?? '',
      error: errors[field],
      onChange: ({ target }: { target: { value: string } }) => onChange({ [field]: target.value }),
    }
  }

  return (
    <section aria-labelledby={titleId} className={styles.section}>
      <h2 id={titleId}>{t('album.settings.languages')}</h2>
      <SelectField
        label={t('album.settings.languages.event')}
        value={form.language}
        error={errors.language}
        onChange={({ target }) => onChange({ language: target.value })}
        hint={t('album.settings.languages.eventHint')}
      >
        <option value="">{t('album.settings.languages.default')}</option>
        {locales
          .filter(({ tag }) => tag !== 'en')
          .map(({ tag, name }) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label={t('album.settings.languages.into')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        hint={
          translated.length > 0
            ? t('album.settings.languages.translated', { languages: formatLanguages(translated) })
            : t('album.settings.languages.intoHint')
        }
      >
        <option value="">{t('album.settings.languages.choose')}</option>
        {locales.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </SelectField>
      {[...shown].map((tag) => (
        <Fragment key={tag}>
          <TextField
            label={t('album.settings.languages.name', { language: nameOf(tag) })}
            {...bind(tag, 'name')}
            hint={event.name}
          />
          <TextArea
            label={t('album.settings.languages.welcome', { language: nameOf(tag) })}
            rows={3}
            {...bind(tag, 'welcome')}
            hint={welcome ?? t('album.settings.languages.optional')}
          />
        </Fragment>
      ))}
    </section>
  )
}
