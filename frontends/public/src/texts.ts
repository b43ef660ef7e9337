import { createTexts, type Catalogue, type GetText } from '@confetti/i18n'
import type english from '../locales/en.json'

/** The texts of the guest pages, each language in a file of its own. */
export const catalogue: Catalogue = {
  en: () => import(/* webpackChunkName: 'locale-en' */ '../locales/en.json', { with: { type: 'json' } }),
  de: () => import(/* webpackChunkName: 'locale-de' */ '../locales/de.json', { with: { type: 'json' } }),
  fr: () => import(/* webpackChunkName: 'locale-fr' */ '../locales/fr.json', { with: { type: 'json' } }),
  es: () => import(/* webpackChunkName: 'locale-es' */ '../locales/es.json', { with: { type: 'json' } }),
  it: () => import(/* webpackChunkName: 'locale-it' */ '../locales/it.json', { with: { type: 'json' } }),
  'pt-BR': () =>
    import(/* webpackChunkName: 'locale-pt-BR' */ '../locales/pt-BR.json', { with: { type: 'json' } }),
  nl: () => import(/* webpackChunkName: 'locale-nl' */ '../locales/nl.json', { with: { type: 'json' } }),
  pl: () => import(/* webpackChunkName: 'locale-pl' */ '../locales/pl.json', { with: { type: 'json' } }),
  uk: () => import(/* webpackChunkName: 'locale-uk' */ '../locales/uk.json', { with: { type: 'json' } }),
  tr: () => import(/* webpackChunkName: 'locale-tr' */ '../locales/tr.json', { with: { type: 'json' } }),
  ar: () => import(/* webpackChunkName: 'locale-ar' */ '../locales/ar.json', { with: { type: 'json' } }),
  he: () => import(/* webpackChunkName: 'locale-he' */ '../locales/he.json', { with: { type: 'json' } }),
  hi: () => import(/* webpackChunkName: 'locale-hi' */ '../locales/hi.json', { with: { type: 'json' } }),
  ja: () => import(/* webpackChunkName: 'locale-ja' */ '../locales/ja.json', { with: { type: 'json' } }),
  'zh-Hans': () =>
    import(/* webpackChunkName: 'locale-zh-Hans' */ '../locales/zh-Hans.json', { with: { type: 'json' } }),
}

export type TextId = keyof typeof english
export type Text = GetText<TextId>
export const { useText, getText, hasText } = createTexts<TextId>()
