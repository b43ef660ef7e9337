import { useParams } from '@confetti/federation/router'
import { ReviewView } from '../features/uploads/review-view.tsx'

export const Review = () => {
  const { eventId = '' } = useParams()
  return <ReviewView key={eventId} eventId={eventId} />
}
