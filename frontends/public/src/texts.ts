import { createTexts, type Catalogue, type GetText } from '@confetti/i18n'
import type english from '../locales/en.json'

/** Loads the texts of the guest pages, each language in a file of its own, whose name the shell's page knows. */
export const catalogue: Catalogue = (locale) =>
  import(/* webpackChunkName: 'locale-[request]' */ `../locales/${locale}.json`, {
    with: { type: 'json' },
  }) as Promise<{ default: Record<string, string> }>

export type TextId = keyof typeof english
export type Text = GetText<TextId>
export const { useText, getText, hasText } = createTexts<TextId>()
