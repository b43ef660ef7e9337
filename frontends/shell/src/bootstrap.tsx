import '@confetti/ui/tokens.css'
import '@confetti/ui/base.css'
import './fraunces.css'
import { createRoot, type Root } from 'react-dom/client'
import { initSession, initTheme, setDefaultTheme } from '@confetti/session'
import { App } from './app.tsx'
import { reportUncaughtErrors } from './report-client-error.ts'
import { getDefaultTheme } from './page-theme.ts'
import { StartFailed } from './start-failed.tsx'
import { loadSiteConfig } from './site-config.ts'
import { addTexts, loadTexts } from './texts.ts'
import { removeServiceWorker, startServiceWorker } from './web-app.ts'

/**
 * Gives a button that is clicked the focus, as most browsers do. Safari does not, and the focus could then not
 * return to the button, for example when a dialog closes.
 */
const focusClickedButtons = (): void => {
  document.addEventListener(
    'click',
    ({ target, isTrusted, detail }) => {
      const button = target instanceof Element ? target.closest('button') : null
      // A click by Enter in a field has no detail: the field keeps the focus.
      if (isTrusted && detail > 0 && button && !button.contains(document.activeElement))
        button.focus({ preventScroll: true, focusVisible: false })
    },
    // Before the button's own handlers.
    { capture: true },
  )
}

setDefaultTheme(getDefaultTheme(location.pathname))
initTheme()
addTexts()
focusClickedButtons()

const start = async (root: Root): Promise<void> => {
  try {
    const { site, remotes, serviceWorker } = await loadSiteConfig()
    initSession(site)
    reportUncaughtErrors()
    // Not awaited: guests see their page as soon as it has its own texts. Members' pages wait for it, see app.tsx.
    loadTexts().catch(() => undefined)
    root.render(<App remotes={remotes} onPageShown={serviceWorker ? startServiceWorker : undefined} />)
    // Without waiting for a page, so that a worker that breaks the pages is removed, too.
    if (!serviceWorker) removeServiceWorker().catch(() => undefined)
  } catch {
    root.render(<StartFailed onRetry={() => void start(root)} />)
  }
}

// index.html removes the id if the browser is too old.
const container = document.getElementById('root')
if (container) void start(createRoot(container))
