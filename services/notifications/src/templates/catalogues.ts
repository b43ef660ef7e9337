import type { Locale } from '@confetti/contracts'
import ar from '../../locales/ar.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import es from '../../locales/es.json' with { type: 'json' }
import fr from '../../locales/fr.json' with { type: 'json' }
import he from '../../locales/he.json' with { type: 'json' }
import hi from '../../locales/hi.json' with { type: 'json' }
import it from '../../locales/it.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import nl from '../../locales/nl.json' with { type: 'json' }
import pl from '../../locales/pl.json' with { type: 'json' }
import ptBR from '../../locales/pt-BR.json' with { type: 'json' }
import tr from '../../locales/tr.json' with { type: 'json' }
import uk from '../../locales/uk.json' with { type: 'json' }
import zhHans from '../../locales/zh-Hans.json' with { type: 'json' }

export type TextId = keyof typeof en

/** The texts of all languages, as ICU messages by id. */
export const catalogues: Readonly<Record<Locale, Readonly<Record<TextId, string>>>> = {
  en,
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  nl,
  pl,
  uk,
  tr,
  ar,
  he,
  hi,
  ja,
  'zh-Hans': zhHans,
}
