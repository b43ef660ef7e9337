import WifiOff from 'lucide-react/icons/wifi-off'
import { createNetworkError } from '@confetti/api-client'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { useText } from '../../texts.ts'
import { GuestPage } from '../guest-page/guest-page.tsx'
import { useOnline } from './sending-status.tsx'

/** What is shown until the event can be loaded. Not loaded on demand, because the network may be the reason. */
export const EventLoadError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const t = useText()
  const isOnline = useOnline()
  return (
    <GuestPage
      icon={<WifiOff size={40} strokeWidth={1.75} aria-hidden />}
      title={t('event.loadFailed.title')}
      actions={
        <Button size="large" wide onClick={onRetry}>
          {t('common.retry')}
        </Button>
      }
    >
      <p role="alert">{getFailureText(error)}</p>
      {!isOnline && <p>{t('event.loadFailed.offline')}</p>}
    </GuestPage>
  )
}

/** Shown instead of a page whose code cannot be loaded. */
export const NotLoaded = () => (
  <EventLoadError error={createNetworkError()} onRetry={() => location.reload()} />
)
