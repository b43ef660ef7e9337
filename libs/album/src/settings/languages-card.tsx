import { useId, useState } from 'react'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import { defaultTextLimits, findTooLong, type Event } from '@confetti/contracts'
import { locales } from '@confetti/i18n'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { SelectField, TextArea, TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import type { SettingsCalls } from './event-settings.tsx'
import styles from './languages-card.module.css'
import type { EventChange } from './settings-form.ts'

const { MAX_EVENT_NAME_CHARACTERS, MAX_WELCOME_CHARACTERS } = defaultTextLimits

const names: ReadonlyMap<string, string> = new Map(locales.map(({ tag, name }) => [tag, name]))
const nameOf = (tag: string): string => names.get(tag) ?? tag

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
  const { name = '', welcome = '' } = event.settings?.translations?.[tag] ?? {}
  const [edited, setEdited] = useState<Translation>({ name, welcome })
  const { form, errors, show, clear } = useFieldErrors()
  const tooLong = {
    name: findTooLong('event name', edited.name, MAX_EVENT_NAME_CHARACTERS),
    welcome: findTooLong('welcome text', edited.welcome, MAX_WELCOME_CHARACTERS),
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
      if (error instanceof ApiError)
        show(
          Object.fromEntries(
            Object.entries(error.fieldErrors).map(([field, message]) => [field.replace(prefix, ''), message]),
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
        label={`Event name in ${nameOf(tag)}`}
        lang={tag}
        dir="auto"
        value={edited.name}
        onChange={({ target }) => change({ name: target.value })}
        error={errors.name ?? tooLong.name}
        hint={event.name}
      />
      <TextArea
        label={`Welcome text in ${nameOf(tag)}`}
        lang={tag}
        dir="auto"
        rows={3}
        value={edited.welcome}
        onChange={({ target }) => change({ welcome: target.value })}
        error={errors.welcome ?? tooLong.welcome}
        hint={event.settings?.welcome ?? 'Optional.'}
      />
      <Button type="submit" variant="secondary" aria-disabled={isBusy}>
        Save translation
      </Button>
    </form>
  )
}

interface Props {
  event: Event
  calls: Pick<SettingsCalls, 'updateEvent'>
  onChanged: (event: Event) => void
}

/** The language of an event, and its name and welcome text in others. */
export const LanguagesCard = ({ event, calls, onChanged }: Props) => {
  const titleId = useId()
  const [tag, setTag] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const { language = '', translations = {} } = event.settings ?? {}
  const translated = Object.keys(translations)

  const update = async (settings: NonNullable<EventChange['settings']>, message: string): Promise<void> => {
    setIsBusy(true)
    try {
      onChanged(await calls.updateEvent({ settings }))
      notify({ message })
    } catch (error) {
      notifyError(getErrorMessage(error))
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
      'Translation saved',
    )
  }

  return (
    <Card as="section" aria-labelledby={titleId} className={styles.card}>
      <h2 id={titleId}>Languages</h2>
      <SelectField
        label="Language of the event"
        value={language}
        aria-busy={isBusy}
        onChange={({ target }) => {
          update({ language: target.value || null }, 'Language saved').catch(() => undefined)
        }}
        hint="Guests read the page in the language of their phone. This is for phones in any other language."
      >
        <option value="">English (default)</option>
        {locales
          .filter(({ tag: option }) => option !== 'en')
          .map(({ tag: option, name }) => (
            <option key={option} value={option} lang={option}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label="Translate into"
        value={tag}
        onChange={({ target }) => setTag(target.value)}
        hint={
          translated.length > 0
            ? `Translated: ${translated.map(nameOf).join(', ')}. Empty both texts to remove a translation.`
            : 'The name and the welcome text, for guests whose page is in that language.'
        }
      >
        <option value="">Choose a language</option>
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
