import '@confetti/ui/tokens.css'
import '@confetti/ui/base.css'
import './fraunces.css'
import { createRoot } from 'react-dom/client'
import { openSession, openTheme } from '@confetti/session'
import { App } from './app.tsx'
import { StartFailed } from './start-failed.tsx'
import { readSiteConfig } from './site-config.ts'

openTheme()
const root = createRoot(document.getElementById('root') ?? document.body)

const start = async (): Promise<void> => {
  try {
    const { site, remotes } = await readSiteConfig()
    openSession(site)
    root.render(<App remotes={remotes} />)
  } catch {
    root.render(<StartFailed onRetry={() => void start()} />)
  }
}
void start()
