import { useLocation, useParams, useSearchParams } from '@confetti/federation/router'
import { Wall as LiveWall } from '../features/wall/wall.tsx'
import { parseWallSettings } from '../features/wall/wall-settings.ts'

export const Wall = () => {
  const { eventId = '' } = useParams()
  const key = useLocation().hash.slice(1)
  const settings = parseWallSettings(useSearchParams()[0])
  return <LiveWall key={`${eventId}#${key}`} eventId={eventId} wallKey={key} settings={settings} />
}
