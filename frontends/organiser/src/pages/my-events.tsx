import { EventGrid } from '../features/events/event-grid.tsx'

export const MyEvents = () => <EventGrid />
