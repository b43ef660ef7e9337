import { Link, useSearchParams } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { Page } from '@confetti/ui/page'
import { Tabs } from '@confetti/ui/tabs'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import { EventList } from '../features/events/event-list.tsx'
import { phases } from '../features/events/events-api.ts'
import { useText } from '../texts.ts'

const phaseNames = {
  active: 'admin.events.active',
  upcoming: 'admin.events.upcoming',
  past: 'admin.events.past',
} as const

export const Events = () => {
  const t = useText()
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab')
  return (
    <Page
      title={t('admin.tab.events')}
      actions={
        <Link to="/events/create" className={buttonClass()}>
          <CalendarPlus size={20} aria-hidden />
          {t('admin.events.new')}
        </Link>
      }
    >
      <Tabs
        label={t('admin.events.phases')}
        tabs={phases.map((phase) => ({
          value: phase,
          name: t(phaseNames[phase]),
          content: <EventList phase={phase} />,
        }))}
        value={phases.find((phase) => phase === tab) ?? 'active'}
        onChange={(phase) => setSearch(phase === 'active' ? {} : { tab: phase })}
      />
    </Page>
  )
}
