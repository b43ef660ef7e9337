import '@confetti/ui/tokens.css'
import '@confetti/ui/base.css'
import './fraunces.css'
import { createRoot } from 'react-dom/client'
import { initSession, initTheme } from '@confetti/session'
import { App } from './app.tsx'
import { reportUncaughtErrors } from './report-client-error.ts'
import { focusClickedButtons } from './focus-clicked-buttons.ts'
import { StartFailed } from './start-failed.tsx'
import { loadSiteConfig } from './site-config.ts'

initTheme()
focusClickedButtons()
const root = createRoot(document.getElementById('root') ?? document.body)

const start = async (): Promise<void> => {
  try {
    const { site, remotes } = await loadSiteConfig()
    initSession(site)
    reportUncaughtErrors()
    root.render(<App remotes={remotes} />)
  } catch {
    root.render(<StartFailed onRetry={() => void start()} />)
  }
}
void start()
