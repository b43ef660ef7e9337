import type { ComponentType } from 'react'
import { loadCatalogue } from '@confetti/i18n'
import { Texts } from '@confetti/i18n/provider'
import { catalogue } from '../../texts.ts'

/** Loads a page together with its texts in the guest's language. */
export const loadWithTexts = async (load: () => Promise<ComponentType>): Promise<ComponentType> => {
  const [Page] = await Promise.all([load(), loadCatalogue(catalogue)])
  const PageWithTexts = () => (
    <Texts>
      <Page />
    </Texts>
  )
  return PageWithTexts
}
