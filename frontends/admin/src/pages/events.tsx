import { Link, useSearchParams } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { Page } from '@confetti/ui/page'
import { Tabs } from '@confetti/ui/tabs'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { EventList } from '../features/events/event-list.tsx'
import { phases, type Phase } from '../features/events/events-api.ts'

const phaseNames: Record<Phase, string> = { active: 'Active', upcoming: 'Upcoming', past: 'Past' }

const tabs = phases.map((phase) => ({
  value: phase,
  name: phaseNames[phase],
  content: <EventList phase={phase} />,
}))

export const Events = () => {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab')
  return (
    <Page
      title="Events"
      actions={
        <Link to="/events/create" className={buttonClass()}>
          <CalendarPlus size={20} aria-hidden />
          New event
        </Link>
      }
    >
      <Tabs
        label="Events by time"
        tabs={tabs}
        value={phases.find((phase) => phase === tab) ?? 'active'}
        onChange={(phase) => setSearch(phase === 'active' ? {} : { tab: phase })}
      />
    </Page>
  )
}
