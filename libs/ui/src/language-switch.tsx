import Languages from 'lucide-react/icons/languages'
import { locales, setLocale, useLocale, type Locale } from '@confetti/i18n'
import styles from './language-switch.module.css'
import { notifyError } from './notify.tsx'
import { getText, useText } from './texts.ts'

const switchTo = (locale: Locale): void => {
  setLocale(locale).catch(() => notifyError(getText('common.languageFailed')))
}

/** Lists the languages by their own names, so that everybody finds theirs on a page that they cannot read. */
export const LanguageSwitch = ({ className = '' }: { className?: string }) => {
  const t = useText()
  const locale = useLocale()
  return (
    <div className={`${styles.switch} ${className}`}>
      <Languages size={18} aria-hidden />
      <span aria-hidden>{locale.slice(0, 2).toUpperCase()}</span>
      {/* Transparent, over the whole switch. */}
      <select
        aria-label={t('common.language')}
        value={locale}
        onChange={({ target }) => switchTo(target.value as Locale)}
      >
        {locales.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
