import { useEffect, type ReactNode } from 'react'
import { I18nProvider } from '@lingui/react'
import { DEFAULT_LOCALE } from './locales.ts'
import { i18n, setDocumentLanguage } from './texts.ts'
import { useLocale } from './use-text.ts'

const DocumentLanguage = () => {
  const locale = useLocale()
  useEffect(() => {
    setDocumentLanguage(locale)
    return () => setDocumentLanguage(DEFAULT_LOCALE)
  }, [locale])
  return null
}

/** Around elements whose texts are in a catalogue, on a page in another language. */
export const TextProvider = ({ children }: { children: ReactNode }) => (
  <I18nProvider i18n={i18n}>{children}</I18nProvider>
)

/** Around pages whose texts are in a catalogue: gives the document their language. */
export const Texts = ({ children }: { children: ReactNode }) => (
  <TextProvider>
    <DocumentLanguage />
    {children}
  </TextProvider>
)
